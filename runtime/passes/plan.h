// What a target wants of the passes.
#pragma once

#include <cstdint>

namespace qd::passes {

/// Who counts what concerns whole tasks of a launch: how often each task starts, and its iterations.
enum class LaunchCounts : uint8_t {
  Host,    // the launcher counts; it runs one task after the other
  Device,  // the code counts what the host does not know when it hands a launch over: starts of tasks that a DoWhile
           // repeats, and iterations of tasks with bounds in temps
};

struct Plan {
  /// Whether code runs many iterations of a parallel task in a row, a chunk. Then a prologue computes what these
  /// iterations have in common, and reductions gather in a variable, which an epilogue adds to the shared place.
  /// Without chunks, a parallel task is its body alone, and reductions are atomic.
  bool chunks = true;
  /// Whether the device runs blocks of threads. For one that does not, loops over blocks are cut at their barriers.
  bool blocks = false;
  /// Whether to estimate what an iteration costs (Task::cost), for a launcher that cuts ranges by it.
  bool costs = true;
  LaunchCounts counts = LaunchCounts::Host;
};

inline constexpr Plan kCpuPlan{};

}  // namespace qd::passes
