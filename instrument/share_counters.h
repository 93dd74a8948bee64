// One counter for what several copies of the same source count.
#pragma once

#include "instrument/coverage_map.h"
#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Copies of a func or of an unrolled loop take the same arcs: an arc's instances become one, whose count is the sum of
/// theirs, and counters of a task that occur in the same sums with the same factors become one. Afterwards counters
/// that no arc needs any more have gaps in their numbers.
void share_counters(ir::Kernel& kernel, CoverageMap& map);

}  // namespace qd::instrument
