// Counts how often the parallel tasks in a DoWhile or an If start, where the launcher does not know it.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Gives each parallel task that is in a DoWhile or an If, and that has start probes, a counter of its starts; the
/// others get kNoCounter. The serial task that runs just before it adds to the counter, at its end. Where there is
/// none, a serial task is added to the kernel. So the count is right also for a task that starts and has no iterations.
std::vector<uint32_t> count_varying_starts(ir::Kernel& kernel);

}  // namespace qd::instrument
