// Compiled code against the interpreter of kernel IR: random kernels, without probes and with their probes lowered to
// counters.
#include <gtest/gtest.h>

#include "runtime/codegen/cpu/lane_choice.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/pipeline.h"
#include "tests/plain_probes/lower_probes_plainly.h"
#include "tests/unit/launch/compiled_kernel.h"

namespace qd::testing {
namespace {

constexpr uint32_t kKernels = 100;
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

/// The tasks of a kernel whose iterations are lanes.
struct Lanes {
  int divergent = 0;          // tasks whose lanes take control flow differently
  bool free_of_order = true;  // whether all of them mean the same in whatever order iterations run
};

Lanes lanes_of(ir::Kernel kernel) {
  passes::run(kernel, {.lower_probes = [](ir::Kernel& lowered) { instrument::lower_probes(lowered); }});
  Lanes found;
  for (const ir::Task& task : kernel.tasks) {
    if (task.kind != ir::Task::Kind::Parallel) continue;
    const passes::Divergence divergence(kernel, task);
    if (!codegen::obstacle_of_lanes(kernel, task, divergence).what.empty()) continue;
    bool diverges = false;
    ir::walk(kernel, task.body, [&](ir::InstId id) { diverges |= divergence.diverges(id); });
    found.divergent += diverges;
    found.free_of_order &= is_free_of_order(kernel, task.body);
  }
  return found;
}

void check_lanes(const KernelOptions& options) {
  int divergent = 0;
  for (uint32_t seed = 1; divergent < kDivergent; seed += 2) {  // odd: without atomics on floats
    SCOPED_TRACE(seed);
    const Lanes lanes = lanes_of(random_kernel(seed, options));
    if (lanes.divergent == 0 || !lanes.free_of_order) continue;
    divergent += lanes.divergent;
    MadeUp made_up{options, ir::Vectorize::Yes, /*longest=*/40};
    Counting together(instrument::lower_probes), alone(instrument::lower_probes);
    const BothRuns runs = run_both(seed, &together, made_up);
    ASSERT_TRUE(runs.same()) << ir::print(runs.kernel) << runs.compiled;
    made_up.vectorize = ir::Vectorize::No;
    run_both(seed, &alone, made_up);
    ASSERT_EQ(together.buffer, alone.buffer) << ir::print(runs.kernel) << runs.compiled;
  }
}

TEST(CompiledKernels, DoTheSameInLanes) { check_lanes({}); }
TEST(CompiledKernels, DrawTheSameInLanes) { check_lanes({.draws = true, .asserts = false}); }

TEST(CompiledKernels, DoWhatTheInterpreterDoes) { check(nullptr); }
TEST(CompiledKernels, CountWhatTheInterpreterReaches) { check(instrument::lower_probes); }
TEST(CompiledKernels, MarkWhatTheInterpreterReaches) { check(instrument::lower_probes_plainly); }

}  // namespace
}  // namespace qd::testing
