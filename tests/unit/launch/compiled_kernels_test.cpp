// Compiled code against the interpreter of kernel IR: random kernels, without probes and with their probes lowered to
// counters.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/codegen/cpu/lane_choice.h"
#include "tests/plain_probes/lower_probes_plainly.h"
#include "tests/unit/launch/compiled_kernel.h"

namespace qd::testing {
namespace {

constexpr uint32_t kKernels = 100;
constexpr int kTasksWithLanes = 150;

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

/// Number of tasks of a printed kernel whose iterations can be lanes.
int tasks_with_lanes(const std::string& printed) {
  const ir::Kernel kernel = ir::parse(printed);
  return static_cast<int>(std::ranges::count_if(kernel.tasks, [&](const ir::Task& task) {
    return task.kind == ir::Task::Kind::Parallel &&
           codegen::obstacle_of_lanes(kernel, task, passes::Divergence(kernel, task)).empty();
  }));
}

TEST(CompiledKernels, DoTheSameInLanes) {
  int with_lanes = 0;
  for (uint32_t seed = 1; with_lanes < kTasksWithLanes; seed += 2) {  // odd: without atomics on floats
    SCOPED_TRACE(seed);
    MadeUp made_up{{.asserts = false}, ir::Vectorize::Yes, /*longest=*/40};
    if (!is_free_of_order(random_kernel(seed, made_up.options))) continue;
    Counting together(instrument::lower_probes), alone(instrument::lower_probes);
    const BothRuns runs = run_both(seed, &together, made_up);
    ASSERT_EQ(runs.actual.results, runs.expected.results) << ir::print(runs.kernel) << runs.compiled;
    ASSERT_EQ(runs.actual.arrays, runs.expected.arrays) << ir::print(runs.kernel) << runs.compiled;
    made_up.vectorize = ir::Vectorize::No;
    run_both(seed, &alone, made_up);
    ASSERT_EQ(together.buffer, alone.buffer) << ir::print(runs.kernel) << runs.compiled;
    with_lanes += tasks_with_lanes(runs.compiled);
  }
}

TEST(CompiledKernels, DoWhatTheInterpreterDoes) { check(nullptr); }
TEST(CompiledKernels, CountWhatTheInterpreterReaches) { check(instrument::lower_probes); }
TEST(CompiledKernels, MarkWhatTheInterpreterReaches) { check(instrument::lower_probes_plainly); }

}  // namespace
}  // namespace qd::testing
