// Probe lowering: turns the probes and decisions of a kernel into as few counters as its control flow allows.
#pragma once

#include <vector>

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
///
/// Lines whose derivative another variant computes (ir/derivative_probe.h) are arcs without a counter.
CoverageMap lower_probes(ir::Kernel& kernel, passes::LaunchCounts counts);
CoverageMap lower_probes(ir::Kernel& kernel);  // Host

// Decision lowering: turns a kernel's Condition and Decide instructions into bits of its counters.

/// Replaces every Op::Condition and Op::Decide of a kernel that is split into tasks by Op::Record. The values of the
/// conditions select the way through the decision as data, without a branch. Each way has a bit. New counters come
/// after those that the kernel has. Runs after lower_probes.
void lower_decisions(ir::Kernel& kernel, CoverageMap& map);

// Counter sharing: one counter for the copies of the same source.

/// Merges arcs at the same place, then merges counters that have equal coefficients in every sum. Copies of a func, or
/// of an unrolled loop, take the same arcs: these become one arc, whose count is the sum of theirs. Then counters of a
/// task that are in the same sums with the same factors become one counter. Counters that no arc needs any more leave
/// gaps in the numbers.
void share_counters(ir::Kernel& kernel, CoverageMap& map);

// Start counts of parallel tasks in a DoWhile or an If, where the launcher does not know them.

/// Returns the start count of each parallel task that is in a DoWhile or an If, and that has start probes; for other
/// tasks nothing. Counts are added to serial tasks of the kernel. Only behind a task whose assert may fail, or where no
/// serial task sets a condition, a serial task is added to the kernel. So the count is right also for a task that
/// starts and has no iterations, and for one that does not start because an assert failed.
std::vector<CounterSum> count_varying_starts(ir::Kernel& kernel);

// Limit on the variants of a func that one kernel tells apart.

/// Largest number of variants of a func in one kernel. With more kinds of arguments, all its calls are one variant.
/// Each variant has counters of its own, and the calls of an unrolled loop may be many.
inline constexpr size_t kMostFuncVariants = 8;

/// Joins the variants of such funcs into one, whose text is their number.
void join_many_variants(ir::Kernel& kernel);

}  // namespace qd::instrument
