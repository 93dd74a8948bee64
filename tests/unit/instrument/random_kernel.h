// Random structured kernels whose decisions are Op::Random, and a machine that runs them before and after probe lowering.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::instrument::testing {

/// A kernel of a few tasks with nested If, Loop, For, Break, Continue and (when `asserts`) Assert; a probe with a number of its own in every straight piece.
ir::Kernel random_kernel(uint32_t seed, bool asserts);

struct Run {
  std::set<uint32_t> probes;       // indices into Kernel::probes of the probes that control reached
  std::vector<uint64_t> counters;  // what the counters hold afterwards
  bool failed = false;             // an assert did not hold
  bool stopped = false;            // ran too long; the result means nothing
};

/// Runs all tasks as the launcher would. The same seed takes the same decisions in a kernel and in its lowered form.
Run run(const ir::Kernel& kernel, uint32_t seed);

}  // namespace qd::instrument::testing
