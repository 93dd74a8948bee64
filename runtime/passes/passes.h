// The passes over kernel IR. Each leaves a kernel that verifies.
#pragma once

#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd::passes {

/// Local arrays whose elements are all named by constants become variables, one an element, which live in registers.
/// Before split_tasks.
void split_local_arrays(ir::Kernel& kernel);

/// Loads of a variable that is stored once, before them, become the value; variables that nothing reads go. So that
/// values reach other tasks without a detour through memory (inside one task LLVM would do the same).
void forward_stores(ir::Kernel& kernel);

/// Cuts the kernel's body into tasks: every parallel For of the top level is one, every longest run of other statements
/// is one serial task. What tasks share goes through global temps, or is computed in each when that needs no memory.
/// The schedule runs them in order.
void split_tasks(ir::Kernel& kernel, const Plan& plan);
void split_tasks(ir::Kernel& kernel);  // for the CPU

/// Atomics on places that one thread alone can reach become plain loads and stores. After split_tasks.
void demote_atomics(ir::Kernel& kernel);

/// Atomics of a parallel task that only gather into a global temp (`s += x[i]`) go to a variable of each chunk, which
/// the task's epilogue adds to the temp. Sums of floats are then associated in another way. After split_tasks, for
/// targets whose plan has chunks.
void privatize_reductions(ir::Kernel& kernel);

}  // namespace qd::passes
