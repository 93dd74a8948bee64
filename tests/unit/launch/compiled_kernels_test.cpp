// Compiled code against the interpreter of kernel IR: random kernels, without probes and with their probes lowered to
// counters.
#include <gtest/gtest.h>

#include "tests/plain_probes/lower_probes_plainly.h"
#include "tests/unit/launch/compiled_kernel.h"
#include "tests/unit/launch/lanes_and_alone.h"

namespace qd::testing {
namespace {

constexpr uint32_t kKernels = 60;
constexpr int kDivergent = 30;  // tasks

void check(LowerProbes* probes) {
  int failed = 0, finished = 0, prints = 0;
  for (uint32_t seed = 0; seed < kKernels; ++seed) {
    SCOPED_TRACE(seed);
    Counting observer(probes);
    const BothRuns runs = run_both(seed, probes ? &observer : nullptr);
    ASSERT_EQ(runs.actual.failed, runs.expected.failed) << ir::print(runs.kernel);
    ASSERT_EQ(runs.actual.results, runs.expected.results) << ir::print(runs.kernel);
    ASSERT_EQ(runs.actual.arrays, runs.expected.arrays) << ir::print(runs.kernel);
    ASSERT_EQ(runs.text, runs.expected_text) << ir::print(runs.kernel);
    ASSERT_TRUE(runs.inside) << ir::print(runs.kernel);
    (runs.actual.failed ? failed : finished)++;
    prints += !runs.text.empty();
    if (!probes) continue;
    EXPECT_EQ(observer.launches, 1);
    ASSERT_EQ(wrong_arc(runs, observer), "") << ir::print(runs.kernel) << runs.compiled;
  }
  // The test says something only while all of these happen.
  EXPECT_GT(failed, 4);
  EXPECT_GT(finished, 24);
  EXPECT_GT(prints, 3);
}

/// `longest`: as in MadeUp.
void check_lanes(const KernelOptions& options, uint32_t longest) {
  const int wanted = options.draws ? kDivergent / 3 : kDivergent;
  int divergent = 0;
  for (uint32_t seed = 1; divergent < wanted; seed += 2) {  // odd: without atomics on floats
    const LaneComparison found = compare_lanes(seed, options, longest);
    ASSERT_EQ(found.difference, "") << "seed " << seed;
    divergent += found.divergent;
  }
}

TEST(CompiledKernels, DoTheSameInLanes) { check_lanes({}, 40); }
TEST(CompiledKernels, DrawTheSameInLanes) { check_lanes({.draws = true, .asserts = false}, 18); }

TEST(CompiledKernels, DoWhatTheInterpreterDoes) { check(nullptr); }
TEST(CompiledKernels, CountWhatTheInterpreterReaches) { check(instrument::lower_probes); }
TEST(CompiledKernels, MarkWhatTheInterpreterReaches) { check(instrument::lower_probes_plainly); }

}  // namespace
}  // namespace qd::testing
