// Forms of a variant: the kernel that each is compiled from.
#include "runtime/launch/forms.h"

#include <algorithm>

#include "runtime/launch/code_cache.h"
#include "runtime/launch/kernel_copies.h"

namespace qd {
namespace {

/// Takes out the counters that are not kept. The others keep their numbers, so that sums which are still needed add up
/// over all forms.
ir::Kernel with_counters(ir::Kernel kernel, const std::vector<bool>& kept) {
  for (auto& block : kernel.blocks) {
    std::erase_if(block,
                  [&](ir::InstId id) { return ir::has_effect(kernel[id].op, ir::kCounts) && !kept[kernel[id].aux]; });
  }
  return kernel;
}

}  // namespace

Forms::Forms(ir::Kernel kernel, const Config& config, std::shared_ptr<device::Device> device,
             ir::Instruments instruments, const std::function<bool(ir::Kernel&)>& lower_probes,
             std::shared_ptr<CodeCache> cache)
    : config_(config), device_(std::move(device)), cache_(std::move(cache)) {
  KernelCode::LowerProbes lower;
  if (lower_probes) {
    const bool may_switch = config.coverage_switch != CleanCodeSwitch::Never;
    if (may_switch) kernel_ = std::make_unique<ir::Kernel>(kernel);
    lower = [this, may_switch, &lower_probes](ir::Kernel& split) {
      if (lower_probes(split) && may_switch) lowered_ = std::make_unique<ir::Kernel>(split);
    };
  }
  codes_.emplace_back(FormKey{}, std::make_unique<KernelCode>(std::move(kernel), config_, *device_, lower, cache_));
  if (lowered_) codes_.front().first.instruments = instruments;
  if (!lowered_) kernel_.reset();
}

const KernelCode& Forms::compile(const FormKey& key) {
  const auto known = std::ranges::find(codes_, key, &decltype(codes_)::value_type::first);
  if (known != codes_.end()) return *known->second;
  std::unique_ptr<KernelCode> code;
  if (key.instruments != 0) {
    code = std::make_unique<KernelCode>(with_counters(*lowered_, key.counters), config_, *device_, nullptr, cache_);
  } else {
    Config config = config_;
    config.print_ir &=
        config.coverage_switch >= CleanCodeSwitch::AtOnce;  // then a program's output does not depend on timing
    code = std::make_unique<KernelCode>(without_probes(*kernel_), config, *device_, nullptr, cache_);
  }
  return *codes_.emplace_back(key, std::move(code)).second;
}

}  // namespace qd
