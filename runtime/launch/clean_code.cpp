// Compiles clean code, after enough launches.
#include "runtime/launch/clean_code.h"

#include "runtime/codegen/compile_guard.h"

namespace qd {
namespace {

/// Number of launches that need not count after which clean code is worth its compilation.
constexpr uint64_t kLaunchesBefore = 8;

}  // namespace

const KernelCode* CleanCode::asked() {
  const uint64_t times = asked_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (forms_->config().coverage_switch >= CleanCodeSwitch::AtOnce) {
    if (times == 1) run_now(*this);
  } else if (times == kLaunchesBefore) {
    run_in_background(weak_from_this());
  }
  return ready();
}

void CleanCode::run() {
  try {
    ready_.store(&forms_->compile({}), std::memory_order_release);
  } catch (const codegen::GivenUp&) {
    dropped();
  } catch (const std::exception&) {
    // The code that counts does the same, only more slowly.
  }
}

}  // namespace qd
