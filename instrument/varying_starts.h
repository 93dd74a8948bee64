// Start counts of parallel tasks in a DoWhile or an If, where the launcher does not know them.
#pragma once

#include <vector>

#include "instrument/coverage_map.h"

namespace qd::instrument {

/// Returns the start count of each parallel task that is in a DoWhile or an If, and that has start probes; for other
/// tasks nothing. Counts are added to serial tasks of the kernel. Only behind a task whose assert may fail, or where no
/// serial task sets a condition, a serial task is added to the kernel. So the count is right also for a task that
/// starts and has no iterations, and for one that does not start because an assert failed.
std::vector<CounterSum> count_varying_starts(ir::Kernel& kernel);

}  // namespace qd::instrument
