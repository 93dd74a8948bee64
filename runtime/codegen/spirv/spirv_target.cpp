#include "runtime/codegen/spirv/spirv_target.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "runtime/build/build_id.h"
#include "runtime/codegen/spirv/emit.h"
#include "runtime/codegen/spirv/tools.h"

namespace qd::codegen {
namespace {

bool validates() {
#ifdef NDEBUG
  static const bool wanted = std::getenv("QD_SPIRV_VALIDATE") != nullptr;
  return wanted;
#else
  return true;
#endif
}

bool optimises() {
  static const bool wanted = std::getenv("QD_SPIRV_OPTIMISE") != nullptr;
  return wanted;
}

void require_valid(const std::string& symbol, std::span<const uint32_t> words) {
  const std::string error = spirv::invalid(words);
  if (!error.empty()) throw std::logic_error(fmt::format("the SPIR-V module of {} is wrong: {}", symbol, error));
}

}  // namespace

SpirvTarget::SpirvTarget(SpirvDevice device) : device_(std::move(device)) {
  compiler_ = "spirv " + build_id_of(reinterpret_cast<const void*>(&validates));
  const SpirvDevice& d = device_;
  processor_ = fmt::format("{}; features {:x}, subgroup {}, invocations {}, shared {}, groups {}", d.name, d.features,
                           d.subgroup_size, d.max_invocations, d.max_shared_bytes, d.local_size);
  const bool flags[] = {d.subgroup_sums, d.wide_shared_atomics, d.f32_atomic_add,  d.f64_atomic_add, d.clock,
                        d.fused_f32,     d.fused_f64,           d.denormals_f32,   d.denormals_f64,  d.nearest_f32,
                        d.nearest_f64,   d.signed_zero_f32,     d.signed_zero_f64, d.whole_f64};
  processor_ += ", flags ";
  for (bool flag : flags) processor_ += flag ? '1' : '0';
  if (d.bound_arrays > 0) processor_ += fmt::format(", bound {}", d.bound_arrays);
  if (d.loop_limit > 0) processor_ += fmt::format(", loops {}", d.loop_limit);
  if (optimises()) processor_ += ", optimised";
}

const passes::Plan& SpirvTarget::plan() const { return passes::kGpuPlan; }

Binary SpirvTarget::compile(const ir::Kernel& kernel, const Options& options) const {
  Binary binary;
  spirv::KernelCode all = spirv::emit(kernel, device_, options);
  for (size_t i = 0; i < all.tasks.size(); ++i) {
    binary.symbols.push_back(kernel.name + "." + std::to_string(i));
    spirv::TaskCode& code = all.tasks[i];
    for (std::vector<uint32_t>* words : {&code.words, &code.bound_words}) {
      if (words->empty()) continue;
      if (optimises()) *words = spirv::optimised(*words);
      if (validates()) require_valid(binary.symbols.back(), *words);
    }
    if (options.assembly)
      binary.assembly += fmt::format("; {}, groups of {}\n{}", binary.symbols.back(), code.local_size,
                                     spirv::disassembly(code.usual_words()));
  }
  binary.code = spirv::pack(all);
  return binary;
}

}  // namespace qd::codegen
