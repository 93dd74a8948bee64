// The passes over kernel IR. A kernel verifies after each of them.
#pragma once

#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd::passes {

/// A local array that holds constants alone, from its declaration on, and is indexed at run time (a table) becomes a
/// Pick of these constants wherever it is read. Before split_tasks.
void constant_arrays(ir::Kernel& kernel);

/// A local array whose elements are all named by constants becomes variables, one for each element, which live in
/// registers. Before split_tasks.
void split_local_arrays(ir::Kernel& kernel);

/// When a variable is stored once, before its loads, the loads become the value. Variables that nothing reads are taken
/// out. So values reach other tasks without a detour through memory. (Within one task LLVM would do the same.)
void forward_stores(ir::Kernel& kernel);

/// Cuts the kernel's body into tasks: each parallel For of the top level is a task, and so is each longest run of other
/// instructions between them. Values that several tasks use go through global temps, or are computed again in each if
/// that needs no memory. The schedule runs the tasks in order, but for Regions, which become its loops, ifs and forks.
void split_tasks(ir::Kernel& kernel, const Plan& plan);
void split_tasks(ir::Kernel& kernel);  // for the CPU

/// Cuts block loops (ir/blocks.h) at the operations in which threads meet: a task runs blocks, and the pieces between
/// the cuts are loops over a block's threads. For targets whose plan has no blocks; after split_tasks. Throws
/// std::runtime_error when a block needs more memory than the stack has.
void cut_blocks(ir::Kernel& kernel, int32_t subgroup_size);

/// Atomics on places that only one thread can reach become plain loads and stores. After split_tasks.
void demote_atomics(ir::Kernel& kernel);

/// Some atomics of a parallel task only gather into one place (`s += x[i]`). They gather in a variable for each chunk
/// instead, which the task's epilogue adds to the place. Sums of floats are then associated in another way. After
/// split_tasks, for targets whose plan has chunks.
void privatize_reductions(ir::Kernel& kernel, Gathering gathering = Gathering::Temps);

}  // namespace qd::passes
