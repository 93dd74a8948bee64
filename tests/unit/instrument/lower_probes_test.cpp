// Probe lowering against its definition: an arc counts as taken exactly when control reached its probe.
#include "instrument/lower_probes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/plain_probes/lower_probes_plainly.h"
#include "tests/random_kernels/random_control_flow.h"

namespace qd::instrument {
namespace {

using ir::Op;

size_t count_of(const ir::Kernel& kernel, Op op) {
  size_t n = 0;
  for (const auto& block : kernel.blocks)
    for (ir::InstId id : block) n += kernel[id].op == op;
  return n;
}

std::set<int32_t> taken_lines(const CoverageMap& map, const std::vector<uint64_t>& counters) {
  std::set<int32_t> lines;
  for (const MappedArc& arc : map.arcs)
    if (arc.count.value(counters) > 0) lines.insert(arc.to);
  return lines;
}

/// `places`: so many places of the source have all the probes; 0: each has a place of its own.
void check_random_kernels(bool asserts, CoverageMap (*lower)(ir::Kernel&) = lower_probes, int32_t places = 0) {
  size_t meaningful = 0, failed = 0, probes = 0, counters = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    ir::Kernel kernel = testing::random_control_flow(seed, {.asserts = asserts});
    if (places > 0) {
      for (ir::Probe& probe : kernel.probes) probe.to %= places;
    }
    ir::Kernel lowered = kernel;
    CoverageMap map = lower(lowered);
    ASSERT_EQ(count_of(lowered, Op::Probe), 0u);
    ASSERT_EQ(map.counters, lowered.counters);
    probes += kernel.probes.size();
    counters += map.counters;
    for (uint32_t launch = 0; launch < 5; ++launch) {
      testing::ControlRun reference = testing::run(kernel, seed * 31 + launch);
      testing::ControlRun measured = testing::run(lowered, seed * 31 + launch);
      if (reference.stopped || measured.stopped) continue;
      ++meaningful;
      failed += reference.failed;
      ASSERT_EQ(reference.failed, measured.failed);
      std::set<int32_t> expected;
      for (uint32_t probe : reference.probes) expected.insert(kernel.probes[probe].to);
      ASSERT_EQ(taken_lines(map, measured.counters), expected) << "seed " << seed << " launch " << launch;
    }
  }
  EXPECT_GT(meaningful, 1900u);
  EXPECT_EQ(failed > 150, asserts);
  if (lower != lower_probes_plainly) {
    EXPECT_LT(counters * 10, probes * 7) << "conservation of flow saves few counters";
  }
}

TEST(LowerProbes, EqualsItsDefinition) { check_random_kernels(false); }
TEST(LowerProbes, EqualsItsDefinitionWhenAssertsFail) { check_random_kernels(true); }

/// Probes at shared places of the source, as copies of funcs and of unrolled loops have.
TEST(LowerProbes, EqualsItsDefinitionWhereProbesShareAPlace) {
  for (int32_t places : {2, 5}) check_random_kernels(places == 2, lower_probes, places);
}

TEST(LowerProbesPlainly, EqualsItsDefinition) {
  check_random_kernels(false, lower_probes_plainly);
  check_random_kernels(true, lower_probes_plainly);
}

/// Checks that the launcher knows all starts that it counts when it hands a launch over.
void expect_known_to_the_host(const ir::Kernel& kernel) {
  const std::vector<bool> varying = ir::varying_tasks(kernel.schedule, kernel.tasks.size());
  for (size_t i = 0; i < kernel.tasks.size(); ++i) {
    const ir::Task& task = kernel.tasks[i];
    EXPECT_TRUE(!varying[i] || task.start_counter == ir::kNoCounter) << task.name;
    const bool in_temp =
        std::ranges::any_of(task.bounds, [](const ir::Bound& bound) { return bound.kind == ir::Bound::Kind::Temp; });
    EXPECT_TRUE((!varying[i] && !in_temp) || task.trip_counter == ir::kNoCounter) << task.name;
  }
}

TEST(LowerProbes, TheDeviceCountsWhatTheHostDoes) {
  size_t meaningful = 0, failed = 0, added = 0;
  for (uint32_t seed = 0; seed < 800; ++seed) {
    SCOPED_TRACE(seed);
    const ir::Kernel kernel = testing::random_control_flow(seed, {.asserts = seed % 2 != 0, .nests = true});
    ASSERT_TRUE(ir::verify(kernel).empty()) << ir::verify(kernel)[0];
    ir::Kernel host = kernel, device = kernel;
    const CoverageMap host_map = lower_probes(host, passes::LaunchCounts::Host);
    const CoverageMap device_map = lower_probes(device, passes::LaunchCounts::Device);
    ASSERT_TRUE(ir::verify(device).empty()) << ir::verify(device)[0];
    expect_known_to_the_host(device);
    added += device.tasks.size() - kernel.tasks.size();
    for (uint32_t launch = 0; launch < 3; ++launch) {
      const testing::ControlRun reference = testing::run(kernel, seed * 31 + launch);
      const testing::ControlRun by_host = testing::run(host, seed * 31 + launch);
      const testing::ControlRun by_device = testing::run(device, seed * 31 + launch);
      if (reference.stopped || by_host.stopped || by_device.stopped) continue;
      ++meaningful;
      failed += reference.failed;
      ASSERT_EQ(reference.failed, by_device.failed);
      std::set<int32_t> expected;
      for (uint32_t probe : reference.probes) expected.insert(kernel.probes[probe].to);
      ASSERT_EQ(taken_lines(host_map, by_host.counters), expected) << ir::print(kernel) << ir::print(host);
      ASSERT_EQ(taken_lines(device_map, by_device.counters), expected) << ir::print(kernel) << ir::print(device);
    }
  }
  EXPECT_GT(meaningful, 1300u);
  EXPECT_GT(failed, 100u);
  EXPECT_GT(added, 25u);
}

TEST(LowerProbes, ATaskBehindAFailedAssertDoesNotStart) {
  for (const char* holds : {"false", "true"}) {
    ir::Kernel kernel = ir::parse(fmt::format(R"(kernel k
function 0 "/k.py" k 1
format 0 "no"
probe 0 function 0 -1 -> 2
temps 1
schedule {{ do_while temp 0 {{ run 0 run 1 }} }}
task serial s {{ body {{ %0 = const u1 {} assert 0 %0 %1 = const i32 0 %2 = global_temp i32 0 store %2, %1 }} }}
task parallel p loop %3 [0, 0) start_probes [0] {{ prologue {{ }} body {{ }} }}
)",
                                              holds));
    const CoverageMap map = lower_probes(kernel, passes::LaunchCounts::Device);
    EXPECT_EQ(kernel.tasks.size(), 2u);
    EXPECT_EQ(taken_lines(map, testing::run(kernel, 1).counters).size(), holds == std::string("true") ? 1u : 0u);
  }
}

TEST(LowerProbes, CountingOnTheDeviceAddsNoTaskWhereNoAssertMayFail) {
  for (const char* assert : {"", "%9 = const u1 true assert 0 %9"}) {
    SCOPED_TRACE(assert);
    ir::Kernel kernel = ir::parse(fmt::format(R"(kernel k
function 0 "/k.py" k 1
format 0 "no"
probe 0 function 0 2 -> 3
probe 1 function 0 3 -> 4
probe 2 function 0 4 -> 5
probe 3 function 0 5 -> 6
temps 2
schedule {{ do_while temp 0 {{ run 0 run 1 run 2 if temp 1 {{ run 3 }} else {{ run 4 }} run 5 }} }}
task parallel a loop %0 [0, 0) start_probes [0] {{ prologue {{ }} body {{ {} }} }}
task parallel b loop %1 [0, 2) start_probes [1] {{ prologue {{ }} body {{ }} }}
task serial c {{ body {{ %2 = global_temp i32 1 %3 = load i32 %2 %4 = const i32 1 %5 = sub i32 %4, %3 store %2, %5 }} }}
task parallel d loop %6 [0, 2) start_probes [2] {{ prologue {{ }} body {{ }} }}
task parallel e loop %7 [0, 0) start_probes [3] {{ prologue {{ }} body {{ }} }}
task serial f {{ body {{ %10 = global_temp i32 1 %11 = load i32 %10 %12 = global_temp i32 0 store %12, %11 }} }}
)",
                                              assert));
    ASSERT_TRUE(ir::verify(kernel).empty()) << ir::verify(kernel)[0];
    const CoverageMap map = lower_probes(kernel, passes::LaunchCounts::Device);
    EXPECT_EQ(kernel.tasks.size(), *assert ? 7u : 6u);
    const std::vector<uint64_t> counters = testing::run(kernel, 1).counters;
    std::vector<int64_t> starts;
    for (const MappedArc& arc : map.arcs) starts.push_back(arc.count.value(counters));
    EXPECT_EQ(starts, (std::vector<int64_t>{2, 2, 1, 1})) << ir::print(kernel);
  }
}

TEST(LowerProbes, CountsAddUpOverLaunches) {
  ir::Kernel kernel = testing::random_control_flow(7, {});
  CoverageMap map = lower_probes(kernel);
  std::vector<uint64_t> sum(kernel.counters);
  std::set<int32_t> lines;
  for (uint32_t launch = 0; launch < 20; ++launch) {
    testing::ControlRun run = testing::run(kernel, launch);
    if (run.stopped) continue;
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += run.counters[i];
    lines.merge(taken_lines(map, run.counters));
  }
  EXPECT_EQ(taken_lines(map, sum), lines);
}

TEST(LowerProbes, AKernelWithoutProbesIsLeftAlone) {
  ir::Kernel kernel = testing::random_control_flow(3, {});
  for (auto& block : kernel.blocks) std::erase_if(block, [&](ir::InstId id) { return kernel[id].op == Op::Probe; });
  for (auto& task : kernel.tasks) task.start_probes.clear();
  kernel.end_probes.clear();
  size_t before = kernel.insts.size();
  CoverageMap map = lower_probes(kernel);
  EXPECT_EQ(map.counters, 0u);
  EXPECT_EQ(count_of(kernel, Op::Count), 0u);
  for (const ir::Task& task : kernel.tasks) EXPECT_EQ(task.start_counter, ir::kNoCounter);
  EXPECT_EQ(kernel.insts.size(), before);
}

TEST(CounterSum, IsALinearForm) {
  auto a = CounterSum::of(0), b = CounterSum::of(2);
  std::vector<uint64_t> counters{5, 9, 3};
  EXPECT_EQ((a + b).value(counters), 8);
  EXPECT_EQ((a - b - b).value(counters), -1);
  EXPECT_TRUE((a - a).terms().empty());
  EXPECT_EQ(CounterSum().value(counters), 0);
}

}  // namespace
}  // namespace qd::instrument
