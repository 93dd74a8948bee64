// The two forms of a kernel's loops on the same arguments: random kernels in fast maths, with counters.
#include "runtime/launch/other_loop_forms.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "instrument/lower_probes.h"
#include "runtime/codegen/cpu/lane_choice.h"
#include "runtime/passes/pipeline.h"
#include "tests/unit/launch/compiled_kernel.h"

namespace qd::testing {
namespace {

/// Number of loops that are to be compared.
constexpr size_t kLoops = 40;

struct Ran {
  device::LaunchOutcome::Status status = device::LaunchOutcome::Status::Done;
  std::vector<uint64_t> results, counters;
  std::vector<std::vector<uint64_t>> arrays;
  bool is_inside = true;
  bool operator==(const Ran&) const = default;
};

Ran run(device::Device& device, const device::Executable& executable, const ir::Kernel& kernel, const Launch& launch) {
  ArrayMemory memory(kernel, launch);
  Ran run;
  run.results.resize(kernel.results.size());
  run.counters.resize(kernel.counters);
  device::LaunchOutcome outcome;
  device::Invocation invocation;
  invocation.arrays = memory.slots().data();
  invocation.params = launch.params.data();
  invocation.results = run.results.data();
  invocation.counters = run.counters.data();
  invocation.outcome = &outcome;
  device.stream().run(executable, invocation);
  run.status = outcome.status;
  run.arrays = memory.words();
  run.is_inside = memory.is_inside();
  return run;
}

size_t unsure_loops(const ir::Kernel& kernel) {
  return static_cast<size_t>(std::ranges::count_if(kernel.tasks, [&](const ir::Task& task) {
    return task.kind == ir::Task::Kind::Parallel &&
           codegen::choose_lanes(kernel, task, passes::Divergence(kernel, task)).other;
  }));
}

TEST(OtherLoopForms, GiveTheSameBitsAndCounts) {
  const std::unique_ptr<device::Device> device = back_ends::make("cpu", {.threads = 1});
  size_t compared = 0;
  for (uint32_t seed = 0; compared < kLoops; ++seed) {
    ir::Kernel kernel = random_kernel(seed);
    const Launch launch = random_launch(kernel, seed, 40);
    passes::PassOptions options;
    options.plan = device->target().plan();
    options.lower_probes = [](ir::Kernel& lowered) { instrument::lower_probes(lowered); };
    passes::run(kernel, options);
    for (ir::Task& task : kernel.tasks) task.cost = 1 << 20;  // runs of little work are not part of a trial
    const size_t unsure = unsure_loops(kernel);
    if (unsure == 0) continue;
    const codegen::Binary first = device->target().compile(kernel, {.fast_math = true});
    ASSERT_EQ(first.unsure.size(), unsure);
    compared += unsure;
    const std::unique_ptr<device::Executable> executable = device->load(first, kernel);
    const Ran expected = run(*device, *executable, kernel, launch);
    executable->add_other_forms(device->target().compile(kernel, {.fast_math = true, .other_forms = true}));
    // The first run of a trial is one in the other form.
    ASSERT_EQ(run(*device, *executable, kernel, launch), expected) << "seed " << seed << "\n" << ir::print(kernel);
  }
}

}  // namespace
}  // namespace qd::testing
