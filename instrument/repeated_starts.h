// Counts how often the parallel tasks of a DoWhile start, where no launcher knows it.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Gives each parallel task that a DoWhile repeats, and that has start probes, a counter of its starts; kNoCounter for
/// the others. The serial task that runs just before it counts, at its end; where there is none, one is added to the
/// kernel. So the count is right for tasks that start and have no iterations.
std::vector<uint32_t> count_repeated_starts(ir::Kernel& kernel);

}  // namespace qd::instrument
