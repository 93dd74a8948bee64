// Visits the instructions of a block and of all blocks nested in it.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Calls visit(InstId) in program order, an instruction before what its blocks hold. `visit` must not add instructions
/// or blocks to the kernel.
template <class Visit>
void walk(const Kernel& kernel, InstId id, Visit&& visit);

template <class Visit>
void walk(const Kernel& kernel, BlockId block, Visit&& visit) {
  if (block == BlockId::None) return;
  for (InstId id : kernel[block]) walk(kernel, id, visit);
}

template <class Visit>
void walk(const Kernel& kernel, InstId id, Visit&& visit) {
  visit(id);
  for (BlockId inner : kernel[id].blocks) walk(kernel, inner, visit);
}

/// The bodies that stand for themselves before split_tasks: the kernel's and those of its routines.
inline std::vector<BlockId> bodies(const Kernel& kernel) {
  std::vector<BlockId> list{kernel.body};
  for (const Routine& routine : kernel.routines) list.push_back(routine.body);
  return list;
}

/// The whole kernel, at any stage.
template <class Visit>
void walk(const Kernel& kernel, Visit&& visit) {
  walk(kernel, kernel.body, visit);
  for (const Routine& routine : kernel.routines) walk(kernel, routine.body, visit);
  for (const Task& task : kernel.tasks) {
    walk(kernel, task.prologue, visit);
    walk(kernel, task.body, visit);
    walk(kernel, task.epilogue, visit);
  }
}

}  // namespace qd::ir
