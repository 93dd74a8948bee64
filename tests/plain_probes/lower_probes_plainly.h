// The usual form of a probe, to compare ours with: a store wherever control has taken an arc.
#pragma once

#include "instrument/coverage_map.h"
#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// The same arcs as lower_probes, measured by a store at every probe (Op::Hit). It is slower, and just as exact. For
/// LaunchCounts::Host.
CoverageMap lower_probes_plainly(ir::Kernel& kernel);

}  // namespace qd::instrument
