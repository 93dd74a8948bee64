// The list of passes from the front end's kernel to the code generator's.
#pragma once

#include <functional>
#include <string_view>

#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd::passes {

struct PassOptions {
  Plan plan = kCpuPlan;
  /// Turns probes into counters, between split_tasks and demote_atomics. Without it a kernel must have no Op::Probe.
  std::function<void(ir::Kernel&)> lower_probes = nullptr;
  /// Called before the first pass ("lower") and after each pass, with its name.
  std::function<void(std::string_view pass, const ir::Kernel&)> after_pass = nullptr;
  /// Check the kernel before the first and after each pass, not only at the end.
  bool verify_each = false;
};

/// The kernel verifies, as those of the front end do. One that is cut into tasks already has its probes lowered, and
/// goes through the passes that come behind that. Throws std::logic_error when a pass leaves something that does not
/// verify.
void run(ir::Kernel& kernel, const PassOptions& options = {});

}  // namespace qd::passes
