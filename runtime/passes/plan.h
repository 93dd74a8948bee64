// What a target wants of the passes.
#pragma once

#include <cstdint>

namespace qd::passes {

/// Who counts what a launch does with whole tasks: how often each starts, and its iterations.
enum class LaunchCounts : uint8_t {
  Host,    // the launcher, which runs one task after the other
  Device,  // the code, for tasks of which the host does not know it when it hands a launch over: those that a DoWhile
           // repeats, and the iterations of those with bounds in temps
};

struct Plan {
  /// Code runs many iterations of a parallel task in a row: what they have in common is computed once for them, in a
  /// prologue, and reductions gather in a variable of theirs, which an epilogue adds to the shared place. Without it, a
  /// parallel task is its body alone, and reductions are atomic.
  bool chunks = true;
  /// The launcher cuts ranges by what an iteration costs: Task::cost is estimated.
  bool costs = true;
  LaunchCounts counts = LaunchCounts::Host;
};

inline constexpr Plan kCpuPlan{};

}  // namespace qd::passes
