// Call graph of a kernel: reachable, recursive and failing routines; effects of the whole.
#pragma once

#include <cstdint>

#include "runtime/ir/walk.h"

namespace qd::ir {

/// For each routine, whether one of the blocks calls it, directly or through other routines.
std::vector<bool> reached_routines(const Kernel& kernel, std::span<const BlockId> blocks);
std::vector<bool> reached_routines(const Kernel& kernel, const Task& task);

/// For each routine, whether it calls itself, directly or through other routines.
std::vector<bool> recursive_routines(const Kernel& kernel);

/// For each routine, whether an assert may fail in it or in its callees. Then a call of it may not come back.
std::vector<bool> failing_routines(const Kernel& kernel);
/// Whether an assert may fail in the block or in a routine that it calls. Then a thread may not come to its end.
bool may_fail(const Kernel& kernel, BlockId block);

/// Calls visit(InstId) for the instructions of all routines that a task calls, directly or through other routines.
template <class Visit>
void walk_reached(const Kernel& kernel, const Task& task, Visit&& visit) {
  if (kernel.routines.empty()) return;
  const std::vector<bool> reached = reached_routines(kernel, task);
  for (size_t i = 0; i < reached.size(); i++) {
    if (reached[i]) walk(kernel, kernel.routines[i].body, visit);
  }
}

/// The effects of all instructions of a kernel, of its routines too: Effect, joined by |. A call has those of its
/// routine.
uint16_t effects_of(const Kernel& kernel);

/// Whether there are loops in the body of a task, or in routines that the task calls.
bool has_loops(const Kernel& kernel, const Task& task);
/// Whether random numbers are drawn there.
bool draws(const Kernel& kernel, const Task& task);

}  // namespace qd::ir
