// The list of passes from the front end's kernel to the code generator's.
#pragma once

#include <functional>
#include <string_view>

#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd::passes {

struct PassOptions {
  Plan plan = kCpuPlan;
  /// Turns probes into counters, between split_tasks and demote_atomics. Without this function a kernel must have no
  /// Op::Probe.
  std::function<void(ir::Kernel&)> lower_probes = nullptr;
  /// Threads of a subgroup, for loops over blocks that are cut at their barriers: a power of two, 64 at most.
  int32_t subgroup_size = 32;
  /// Called before the first pass ("lower") and after each pass, with its name.
  std::function<void(std::string_view pass, const ir::Kernel&)> after_pass = nullptr;
  /// Checks the kernel before the first and after each pass, not only at the end.
  bool verify_each = false;
};

/// The first passes, which make values of variables: as many as there can be before automatic differentiation.
void simplify_variables(ir::Kernel& kernel);

/// Runs the passes on a kernel, which must verify, as kernels of the front end do. A kernel that is cut into tasks
/// already must have its probes lowered; it goes only through the passes behind that. Throws std::logic_error when a
/// kernel does not verify after a pass.
void run(ir::Kernel& kernel, const PassOptions& options = {});

}  // namespace qd::passes
