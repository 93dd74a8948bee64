// When clean code is compiled, and from what.
#include "runtime/launch/clean_code.h"

#include "runtime/launch/code_cache.h"
#include "runtime/launch/without_probes.h"

namespace qd {
namespace {

/// Launches that need not count, before clean code is worth its compilation.
constexpr uint64_t kLaunchesBefore = 8;

}  // namespace

CleanCode::CleanCode(ir::Kernel kernel, const Config& config, std::vector<ArraySlot> fields, std::shared_ptr<CodeCache> cache)
    : kernel_(std::move(kernel)), config_(config), fields_(std::move(fields)), cache_(std::move(cache)) {
  config_.print_ir &= config_.clean_code_switch >= CleanCodeSwitch::AtOnce;  // a program's output does not depend on the time
}

const Code* CleanCode::asked() {
  const uint64_t times = asked_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (config_.clean_code_switch >= CleanCodeSwitch::AtOnce) {
    if (times == 1) run_now(*this);
  } else if (times == kLaunchesBefore) {
    run_in_background(weak_from_this());
  }
  return ready();
}

void CleanCode::run() {
  try {
    code_ = std::make_unique<Code>(without_probes(std::move(kernel_)), config_, std::move(fields_), nullptr, cache_.get());
    ready_.store(code_.get(), std::memory_order_release);
  } catch (const std::exception&) {
    // The code that counts does the same, only slower.
  }
}

}  // namespace qd
