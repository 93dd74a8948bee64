// Compiled code against the interpreter of kernel IR: random kernels, without probes and with their probes lowered to
// counters.
#include <gtest/gtest.h>

#include "tests/plain_probes/lower_probes_plainly.h"
#include "tests/unit/launch/compiled_kernel.h"

namespace qd::testing {
namespace {

constexpr uint32_t kKernels = 100;

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
    (runs.actual.failed ? failed : finished)++;
    prints += !runs.text.empty();
    if (!probes) continue;
    EXPECT_EQ(observer.launches, 1);
    ASSERT_EQ(wrong_arc(runs, observer), "") << ir::print(runs.kernel) << runs.compiled;
  }
  // The test says something only while all of these happen.
  EXPECT_GT(failed, 8);
  EXPECT_GT(finished, 40);
  EXPECT_GT(prints, 5);
}

TEST(CompiledKernels, DoWhatTheInterpreterDoes) { check(nullptr); }
TEST(CompiledKernels, CountWhatTheInterpreterReaches) { check(instrument::lower_probes); }
TEST(CompiledKernels, MarkWhatTheInterpreterReaches) { check(instrument::lower_probes_plainly); }

}  // namespace
}  // namespace qd::testing
