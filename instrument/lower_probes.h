// Turns the probes of a kernel into as few counters as its control flow allows.
#pragma once

#include "instrument/coverage_map.h"
#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Replaces every probe of a kernel that is split into tasks: Op::Probe is gone, Op::Count stands where a decision is taken, tasks name the counters that the launcher
/// keeps. By conservation of flow one counter for each decision gives both of its edges; straight-line code needs none. The map holds for launches that have
/// finished or failed at an assert.
CoverageMap lower_probes(ir::Kernel& kernel);

/// The same arcs in the usual form, a store at every probe: slow, and exact in the same way. To measure against.
CoverageMap lower_probes_plainly(ir::Kernel& kernel);

}  // namespace qd::instrument
