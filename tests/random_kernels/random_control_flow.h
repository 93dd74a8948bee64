// Random kernels that draw their decisions, cut into tasks, and their runs before and after probe lowering.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::testing {

struct ControlOptions {
  bool asserts = false;  // that may fail
  bool nests = false;    // the schedule has loops and ifs
};

/// A kernel of a few tasks with nested If, Loop, For, Break, Continue and routines; a probe with a number of its own in
/// most straight pieces.
ir::Kernel random_control_flow(uint32_t seed, ControlOptions options);

struct ControlRun {
  std::set<uint32_t> probes;       // indices into Kernel::probes of the probes that control reached
  std::vector<uint64_t> counters;  // values of the counters afterwards
  bool failed = false;             // an assert did not hold
  bool stopped = false;            // ran too long; the result means nothing
};

/// Runs all tasks as the launcher would. The same seed takes the same decisions in a kernel and in its lowered form.
ControlRun run(const ir::Kernel& kernel, uint32_t seed);

}  // namespace qd::testing
