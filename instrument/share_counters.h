// Counter sharing: one counter for the copies of the same source.
#pragma once

#include "instrument/coverage_map.h"
#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Merges arcs at the same place, then merges counters that have equal coefficients in every sum. Copies of a func, or
/// of an unrolled loop, take the same arcs: these become one arc, whose count is the sum of theirs. Then counters of a
/// task that are in the same sums with the same factors become one counter. Counters that no arc needs any more leave
/// gaps in the numbers.
void share_counters(ir::Kernel& kernel, CoverageMap& map);

}  // namespace qd::instrument
