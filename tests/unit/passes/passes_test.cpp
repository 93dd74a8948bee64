// The passes keep the meaning of a kernel: random kernels are interpreted before and after each.
#include "runtime/passes/passes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/ir/builder.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/pipeline.h"
#include "tests/random_kernels/interpret.h"
#include "tests/random_kernels/random_kernel.h"

namespace qd::passes {
namespace {

using ir::Op;
using testing::interpret;
using testing::Launch;
using testing::Outcome;
using testing::random_kernel;
using testing::random_launch;
using Interpreted = testing::Run;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr uint32_t kKernels = 1500;

struct Pass {
  const char* name;
  void (*run)(ir::Kernel&);
};
constexpr Pass kPasses[] = {{"constant_arrays", constant_arrays},
                            {"split_local_arrays", split_local_arrays},
                            {"forward_stores", forward_stores},
                            {"split_tasks", [](ir::Kernel& kernel) { split_tasks(kernel); }},
                            {"demote_atomics", demote_atomics}};

int count(const ir::Kernel& kernel, auto&& wanted) {
  int n = 0;
  walk(kernel, [&](ir::InstId id) { n += wanted(kernel[id]); });
  return n;
}

void strip_probes(ir::Kernel& kernel) {
  for (auto& block : kernel.blocks) {
    std::erase_if(block, [&](ir::InstId id) { return kernel[id].op == Op::Probe; });
  }
  for (ir::Task& task : kernel.tasks) task.start_probes.clear();
  kernel.end_probes.clear();
}

/// Everything but memory, for messages.
std::string describe(const Outcome& outcome) {
  std::string text = outcome.failed ? "failed" : "finished";
  for (uint64_t result : outcome.results) text += fmt::format(" result {:#x}", result);
  for (auto [probe, times] : outcome.probes) text += fmt::format(" probe {} x{}", probe, times);
  for (const std::string& print : outcome.prints) text += fmt::format("\n{}", print);
  return text;
}

TEST(RandomKernels, KeepTheirMeaningAndTheirText) {
  int finished = 0;
  int failed = 0;
  int demoted = 0;
  int kept = 0;
  int privatized = 0;
  for (uint32_t seed = 0; seed < kKernels; seed++) {
    SCOPED_TRACE(seed);
    ir::Kernel kernel = random_kernel(seed, {.regions = seed % 2 != 0});
    ASSERT_THAT(ir::verify(kernel), IsEmpty()) << print(kernel);
    const std::string before = print(kernel);
    const Launch launch = random_launch(kernel, seed);
    const Interpreted expected = interpret(kernel, launch);
    ASSERT_THAT(expected.races, IsEmpty()) << before;
    (expected.outcome.failed ? failed : finished)++;
    auto is_atomic = [](const ir::Inst& inst) { return inst.op == Op::AtomicRmw || inst.op == Op::AtomicCas; };
    const int atomics = count(kernel, is_atomic);
    for (const Pass& pass : kPasses) {
      SCOPED_TRACE(pass.name);
      pass.run(kernel);
      const std::string text = print(kernel);
      ASSERT_THAT(ir::verify(kernel), IsEmpty()) << before << text;
      ASSERT_EQ(print(ir::parse(text)), text);
      ASSERT_THAT(ir::verify(ir::parse(text)), IsEmpty());
      const Interpreted actual = interpret(kernel, launch);
      ASSERT_TRUE(actual.outcome == expected.outcome) << describe(expected.outcome) << "\n"
                                                      << describe(actual.outcome) << "\n"
                                                      << before << text;
      ASSERT_THAT(actual.races, IsEmpty()) << before << text;
    }
    kept += count(kernel, is_atomic);
    demoted += atomics - count(kernel, is_atomic);
    privatize_reductions(kernel);
    const std::string text = print(kernel);
    ASSERT_THAT(ir::verify(kernel), IsEmpty()) << before << text;
    ASSERT_EQ(print(ir::parse(text)), text);
    // Sums of floats depend on their order.
    bool exact = true;
    int reductions = 0;
    for (const ir::Task& task : kernel.tasks) {
      walk(kernel, task.epilogue, [&](ir::InstId id) {
        reductions += kernel[id].op == Op::AtomicRmw;
        exact &= !(kernel[id].op == Op::AtomicRmw && ir::is_float(kernel[id].type));
      });
    }
    if (exact && reductions > 0) {
      privatized++;
      const Interpreted actual = interpret(kernel, launch);
      ASSERT_TRUE(actual.outcome == expected.outcome) << describe(expected.outcome) << "\n"
                                                      << describe(actual.outcome) << "\n"
                                                      << before << text;
      ASSERT_THAT(actual.races, IsEmpty()) << before << text;
    }
  }
  // The test says something only while all of these happen.
  EXPECT_GT(finished, 500);
  EXPECT_GT(failed, 80);
  EXPECT_GT(demoted, 1000);
  EXPECT_GT(kept, 500);
  EXPECT_GT(privatized, 80);
}

/// Tasks without chunks, as for a device where each iteration stands for itself.
TEST(RandomKernels, KeepTheirMeaningWithoutChunks) {
  const Plan plan{.chunks = false, .costs = false};
  for (uint32_t seed = 0; seed < kKernels; seed++) {
    SCOPED_TRACE(seed);
    ir::Kernel kernel = random_kernel(seed, {.regions = seed % 2 != 0});
    const std::string before = print(kernel);
    const Launch launch = random_launch(kernel, seed);
    Interpreted expected = interpret(kernel, launch);
    strip_probes(kernel);
    expected.outcome.probes.clear();
    run(kernel, {.plan = plan});
    for (const ir::Task& task : kernel.tasks) {
      EXPECT_EQ(task.prologue, ir::BlockId::None);
      EXPECT_EQ(task.epilogue, ir::BlockId::None);
      EXPECT_EQ(task.cost, 0);
    }
    const std::string text = print(kernel);
    ASSERT_EQ(print(ir::parse(text)), text);
    device::reference::Options options = testing::checked();
    options.chunk = 1;
    const Interpreted actual = interpret(kernel, launch, options);
    ASSERT_TRUE(actual.outcome == expected.outcome) << describe(expected.outcome) << "\n"
                                                    << describe(actual.outcome) << "\n"
                                                    << before << text;
    ASSERT_THAT(actual.races, IsEmpty()) << before << text;
  }
}

TEST(RandomKernels, HaveTheTasksThatTheirLoopsAskFor) {
  for (uint32_t seed = 0; seed < kKernels; seed++) {
    SCOPED_TRACE(seed);
    ir::Kernel kernel = random_kernel(seed);
    const auto loops = std::ranges::count_if(kernel[kernel.body], [&](ir::InstId id) {
      return kernel[id].op == Op::For && kernel.loops[kernel[id].aux].parallel;
    });
    run(kernel, {.lower_probes = strip_probes});
    EXPECT_EQ(std::ranges::count(kernel.tasks, ir::Task::Kind::Parallel, &ir::Task::kind), loops);
    for (size_t i = 0; i < kernel.tasks.size(); i++) {
      if (kernel.tasks[i].kind == ir::Task::Kind::Parallel) continue;
      EXPECT_TRUE(i == 0 || kernel.tasks[i - 1].kind == ir::Task::Kind::Parallel) << "two serial tasks in a row";
      walk(kernel, kernel.tasks[i].body,
           [&](ir::InstId id) { EXPECT_NE(kernel[id].op, Op::AtomicRmw) << "an atomic in a serial task"; });
    }
  }
}

TEST(RandomKernels, ProbesChangeNothingElse) {
  for (uint32_t seed = 0; seed < kKernels; seed++) {
    SCOPED_TRACE(seed);
    ir::Kernel with = random_kernel(seed, {.regions = seed % 2 != 0});
    ir::Kernel without = with;
    strip_probes(without);
    run(with, {.lower_probes = strip_probes});
    run(without);
    ASSERT_EQ(print(with), print(without));
  }
}

TEST(Pipeline, EstimatesCostsBeforeThereAreCounters) {
  for (uint32_t seed = 0; seed < 50; seed++) {
    ir::Kernel with = random_kernel(seed, {.regions = seed % 2 != 0});
    ir::Kernel without = with;
    strip_probes(without);
    auto count = [](ir::Kernel& kernel) {
      strip_probes(kernel);
      kernel.counters = 1;
      for (ir::Task& task : kernel.tasks) {
        ir::Builder build(kernel, task.body);
        build.inst(Op::Count, ir::Type::Void, {build.constant(ir::Type::I64, 1)});
        std::ranges::rotate(kernel[task.body], kernel[task.body].end() - 2);
      }
    };
    run(with, {.lower_probes = count});
    run(without);
    ASSERT_EQ(with.tasks.size(), without.tasks.size());
    for (size_t i = 0; i < with.tasks.size(); i++) {
      EXPECT_GT(with.tasks[i].cost, 0);
      EXPECT_EQ(with.tasks[i].cost, without.tasks[i].cost);
    }
  }
}

TEST(Pipeline, RefusesProbesThatNothingLowers) {
  constexpr std::string_view kHead =
      "kernel k\nfunction 0 \"/k.py\" k 1\nprobe 0 function 0 -1 -> 2\nloop 0 parallel\n";
  for (std::string_view body : {"body { probe 0 }", "body { %0 = const i32 0 probe 0 %1 = for 0 [%0, %0) { } }",
                                "body { loop { probe 0 break } }"}) {
    ir::Kernel kernel = ir::parse(std::string(kHead) + std::string(body));
    EXPECT_THAT([&] { run(kernel); },
                ThrowsMessage<std::logic_error>(HasSubstr("kernel k has probes, but nothing lowers them")));
  }
}

TEST(Pipeline, NamesTheStageThatLeftInvalidIr) {
  ir::Kernel kernel = ir::parse("kernel k body { break }");
  EXPECT_THAT([&] { run(kernel, {.verify_each = true}); },
              ThrowsMessage<std::logic_error>(
                  HasSubstr("kernel k is not valid IR after lower:\n  %0 (break): is not in a loop")));
}

TEST(Pipeline, ShowsEachStage) {
  ir::Kernel kernel = random_kernel(1);
  std::vector<std::string> stages;
  run(kernel, {.lower_probes = strip_probes,
               .after_pass = [&](std::string_view pass, const ir::Kernel&) { stages.emplace_back(pass); }});
  EXPECT_THAT(stages, ::testing::ElementsAre("lower", "constant_arrays", "split_local_arrays", "forward_stores",
                                             "split_tasks", "lower_probes", "demote_atomics", "privatize_reductions"));
}

}  // namespace
}  // namespace qd::passes
