// Compiled code against the interpreter of kernel IR: random kernels, without probes and with their probes lowered to
// counters.
#include <optional>
#include <stdexcept>
#include <string_view>

#include <gtest/gtest.h>

#include "runtime/codegen/cpu/lane_choice.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/pipeline.h"
#include "tests/plain_probes/lower_probes_plainly.h"
#include "tests/unit/launch/compiled_kernel.h"

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

/// The runs of a kernel; nothing where the interpreter gives up, because random numbers keep it in a loop.
std::optional<BothRuns> runs_that_end(uint32_t seed, Counting* observer, const MadeUp& made_up) {
  try {
    return run_both(seed, observer, made_up);
  } catch (const std::runtime_error& error) {
    if (error.what() != std::string_view("endless")) throw;
    return std::nullopt;
  }
}

/// `longest`: as in MadeUp.
void check_lanes(const KernelOptions& options, uint32_t longest) {
  int divergent = 0;
  for (uint32_t seed = 1; divergent < (options.draws ? kDivergent / 3 : kDivergent);
       seed += 2) {  // odd: without atomics on floats
    SCOPED_TRACE(seed);
    const Lanes lanes = lanes_of(random_kernel(seed, options));
    if (lanes.divergent == 0 || !lanes.free_of_order) continue;
    MadeUp made_up{options, ir::Vectorize::Yes, longest};
    Counting together(instrument::lower_probes), alone(instrument::lower_probes);
    const std::optional<BothRuns> runs = runs_that_end(seed, &together, made_up);
    if (!runs) continue;
    divergent += lanes.divergent;
    // The interpreter's kernel is not cut into tasks, of which each draws numbers of its own.
    ASSERT_TRUE(options.draws || runs->same()) << ir::print(runs->kernel) << runs->compiled;
    made_up.vectorize = ir::Vectorize::No;
    const BothRuns runs_alone = run_both(seed, &alone, made_up);
    ASSERT_EQ(runs->actual.results, runs_alone.actual.results) << ir::print(runs->kernel) << runs->compiled;
    ASSERT_EQ(runs->actual.arrays, runs_alone.actual.arrays) << ir::print(runs->kernel) << runs->compiled;
    ASSERT_EQ(together.buffer, alone.buffer) << ir::print(runs->kernel) << runs->compiled;
  }
}

TEST(CompiledKernels, DoTheSameInLanes) { check_lanes({}, 40); }
TEST(CompiledKernels, DrawTheSameInLanes) { check_lanes({.draws = true, .asserts = false}, 18); }

TEST(CompiledKernels, DoWhatTheInterpreterDoes) { check(nullptr); }
TEST(CompiledKernels, CountWhatTheInterpreterReaches) { check(instrument::lower_probes); }
TEST(CompiledKernels, MarkWhatTheInterpreterReaches) { check(instrument::lower_probes_plainly); }

}  // namespace
}  // namespace qd::testing
