// What the calls of a kernel lead to.
#pragma once

#include "runtime/ir/walk.h"

namespace qd::ir {

/// For each routine, whether a block leads to it: by a call in the block, or in a routine that the block leads to.
std::vector<bool> reached_routines(const Kernel& kernel, std::span<const BlockId> blocks);
std::vector<bool> reached_routines(const Kernel& kernel, const Task& task);

/// For each routine, whether it leads to itself.
std::vector<bool> recursive_routines(const Kernel& kernel);

/// For each routine, whether an assert may fail in it or in what it calls: then control does not come back from it.
std::vector<bool> failing_routines(const Kernel& kernel);

/// The counters that instructions of routines (Count: add to, Record: set bits of) lie in [first, first + size).
CounterRange routine_counters(const Kernel& kernel, Op op);

/// The instructions of all routines that a task leads to.
template <class Visit>
void walk_reached(const Kernel& kernel, const Task& task, Visit&& visit) {
  if (kernel.routines.empty()) return;
  const std::vector<bool> reached = reached_routines(kernel, task);
  for (size_t i = 0; i < reached.size(); i++) {
    if (reached[i]) walk(kernel, kernel.routines[i].body, visit);
  }
}

}  // namespace qd::ir
