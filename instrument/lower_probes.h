// Turns the probes of a kernel into as few counters as its control flow allows.
#pragma once

#include "instrument/coverage_map.h"
#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd::instrument {

/// Replaces every probe of a kernel that is split into tasks: Op::Probe is gone, Op::Count stands where a decision is
/// taken, tasks name the counters that the launcher keeps. By conservation of flow one counter for each decision gives
/// both of its edges; straight-line code needs none. The map holds for launches that have finished or failed at an
/// assert. `counts` Device: tasks name counters only where the launcher knows what to add when it hands the launch
/// over, or learns it from which assert failed; the code counts the rest, for which there may be a serial task more.
CoverageMap lower_probes(ir::Kernel& kernel, passes::LaunchCounts counts);
CoverageMap lower_probes(ir::Kernel& kernel);  // Host

/// The same arcs in the usual form, a store at every probe: slow, and exact in the same way, for LaunchCounts::Host. To
/// measure against.
CoverageMap lower_probes_plainly(ir::Kernel& kernel);

}  // namespace qd::instrument
