// Visits of instructions: those of a block with all blocks nested in it, or of a whole kernel.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Calls visit(InstId) in program order: an instruction first, then those in its blocks. `visit` must not add
/// instructions or blocks to the kernel.
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

/// The outermost blocks of a kernel before split_tasks: its body, and the bodies of its routines.
inline std::vector<BlockId> bodies(const Kernel& kernel) {
  std::vector<BlockId> list{kernel.body};
  for (const Routine& routine : kernel.routines) list.push_back(routine.body);
  return list;
}

/// Visits the whole kernel, at any stage.
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
