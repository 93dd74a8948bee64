// Probe lowering: turns the probes of a kernel into as few counters as its control flow allows.
#pragma once

#include "instrument/coverage_map.h"
#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd::instrument {

/// Replaces every probe of a kernel that is split into tasks. Afterwards there is no Op::Probe; Op::Count stands where
/// a decision is made, and tasks name the counters that the launcher adds to. Control that flows into a block flows
/// out of it, so one counter for each decision gives both of its edges, and straight-line code needs none. The map
/// holds for launches that have finished, or have failed at an assert. With `counts` Device, tasks name a counter only
/// if the launcher knows the amount when it hands the launch over, or learns it from the number of the failed assert.
/// The code counts the rest, which may need one more serial task.
CoverageMap lower_probes(ir::Kernel& kernel, passes::LaunchCounts counts);
CoverageMap lower_probes(ir::Kernel& kernel);  // Host

}  // namespace qd::instrument
