// libFuzzer target: an object file as code generation writes it, damaged as the input says. Our loader leaves it to
// another one, or links it without touching memory that is not its own; nothing of it runs.
//
// Run: build/fuzz/tests/fuzz/fuzz_elf -max_len=64 some_folder tests/fuzz/corpus/elf
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/codegen/cpu/compile.h"
#include "runtime/device/cpu/loader.h"
#include "runtime/passes/pipeline.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/file_in_memory.h"
#include "tests/random_kernels/random_kernel.h"

using namespace qd;

namespace {

const codegen::Binary& object(uint8_t which) {
  static const auto all = [] {
    std::array<codegen::Binary, 8> result;
    for (uint32_t i = 0; i < result.size(); ++i) {
      ir::Kernel kernel = testing::random_kernel(i);
      for (auto& block : kernel.blocks)
        std::erase_if(block, [&](ir::InstId id) { return kernel[id].op == ir::Op::Probe; });
      passes::run(kernel);
      result[i] = codegen::compile(kernel, {});
      fuzz::require(device::load_elf(result[i].code, result[i].symbols) != nullptr);
    }
    return result;
  }();
  return all[which % all.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const codegen::Binary& whole = object(data[0]);
  const auto loaded = device::load_elf(fuzz::damaged(whole.code, data + 1, size - 1), whole.symbols);
  if (loaded) fuzz::require(loaded->functions().size() == whole.symbols.size());
  return 0;
}
