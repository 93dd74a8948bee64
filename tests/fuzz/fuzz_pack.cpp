// libFuzzer target: a kernel in bytes, as the caches keep it, damaged as the input says. The bytes are refused, or the
// kernel does not verify, or it is one like any other: it packs and prints to the kernel it was read from, and the
// passes take it.
//
// Run: build/fuzz/tests/fuzz/fuzz_pack -max_len=64 some_folder tests/fuzz/corpus/pack
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/ir/pack.h"
#include "runtime/passes/pipeline.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/file_in_memory.h"
#include "tests/random_kernels/random_kernel.h"

using namespace qd;
using fuzz::require;

namespace {

/// Random kernels in bytes, as the front end leaves kernels and as the passes do.
const std::string& packed(uint8_t which) {
  static const auto all = [] {
    std::array<std::string, 64> result;
    for (uint32_t i = 0; i < result.size(); ++i) {
      ir::Kernel kernel = testing::random_kernel(i / 2);
      if (i % 2 != 0) {
        for (auto& block : kernel.blocks)
          std::erase_if(block, [&](ir::InstId id) { return kernel[id].op == ir::Op::Probe; });
        passes::run(kernel);
      }
      result[i] = ir::pack(kernel);
    }
    return result;
  }();
  return all[which % all.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes = fuzz::damaged(packed(data[0]), data + 1, size - 1);
  const std::optional<ir::Kernel> kernel = ir::unpack(bytes);
  if (!kernel || !ir::verify(*kernel).empty()) return 0;
  require(ir::pack(*kernel) == bytes);
  const std::string text = ir::print(*kernel);
  require(ir::print(ir::parse(text)) == text);
  return 0;
}
