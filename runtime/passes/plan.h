// Plan: a target's requirements of the passes.
#pragma once

#include <cstdint>

namespace qd::passes {

/// Place of the counts of whole tasks of a launch: starts of each task, and its iterations.
enum class LaunchCounts : uint8_t {
  Host,    // the launcher counts; it runs one task after the other
  Device,  // the code counts numbers that the host does not know when it hands a launch over: starts of tasks that a
           // DoWhile repeats, and iterations of tasks with bounds in temps
};

/// The reductions of a chunk that gather in a variable of the IR. The code generator gathers the others in its own way.
enum class Gathering : uint8_t {
  Temps,  // those into temps, but minima and maxima of floats
  All,    // and those, and those into elements with constant indices
};

struct Plan {
  /// Whether code runs many iterations of a parallel task in a row, a chunk. Then a prologue computes the values that
  /// these iterations have in common, and reductions gather in a variable, which an epilogue adds to the shared place.
  /// Without chunks, a parallel task is its body alone, and reductions are atomic.
  bool chunks = true;
  Gathering gathering = Gathering::Temps;
  /// Whether the device runs blocks of threads. For one that does not, loops over blocks are cut at their barriers.
  bool blocks = false;
  /// Whether to estimate the cost of an iteration (Task::cost), for a launcher that cuts ranges by it.
  bool costs = true;
  LaunchCounts counts = LaunchCounts::Host;
};

inline constexpr Plan kCpuPlan{};
inline constexpr Plan kGpuPlan{
    .gathering = Gathering::All, .blocks = true, .costs = false, .counts = LaunchCounts::Device};

}  // namespace qd::passes
