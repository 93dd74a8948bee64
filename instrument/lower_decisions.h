// Decision lowering: turns a kernel's Condition and Decide instructions into bits of its counters.
#pragma once

#include "instrument/coverage_map.h"
#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Replaces every Op::Condition and Op::Decide of a kernel that is split into tasks by Op::Record. The values of the
/// conditions select the way through the decision as data, without a branch. Each way has a bit. New counters come
/// after those that the kernel has. Runs after lower_probes.
void lower_decisions(ir::Kernel& kernel, CoverageMap& map);

}  // namespace qd::instrument
