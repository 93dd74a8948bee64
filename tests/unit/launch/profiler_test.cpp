// Profiler: rows that variants share, statistics of times, and records that do not grow without limit.
#include "runtime/launch/profiler.h"

#include <gtest/gtest.h>

#include "runtime/back_ends/back_ends.h"
#include "runtime/launch/program.h"

namespace qd {
namespace {

/// A kernel with a serial task and two loops, the second of which begins at `line`.
std::string text(int line) {
  return R"(kernel work
array 0 x i32 rank 1 parameter
function 0 "/project/work.py" work 4
location 0 function 0 line 5 col 4
location 1 function 0 line 6 col 8
location 2 function 0 line )" +
         std::to_string(line) + R"( col 4
loop 0 parallel
loop 1 parallel name second

body {
  %0 = const i32 0 @0
  %1 = const i32 8 @0
  %2 = element_ptr i32 0 [%0] @0
  store %2, %1 @0
  %3 = for 0 [%0, %1) @1 {
    %4 = loop_index i32 %3 0 @1
    %5 = element_ptr i32 0 [%4] @1
    store %5, %4 @1
  }
  %6 = for 1 [%0, %1) @2 {
    %7 = loop_index i32 %6 0 @2
    %8 = element_ptr i32 0 [%7] @2
    store %8, %0 @2
  }
}
)";
}

class ProfilerTest : public testing::Test {
 protected:
  KernelCode code(int line) { return KernelCode(ir::parse(text(line)), Config{}, *device_); }

  std::unique_ptr<device::Device> device_ = back_ends::make("reference", {});
  Profiler profiler_;
};

TEST_F(ProfilerTest, Statistics) {
  const KernelCode work = code(9);
  profiler_.add(work, {{0, 1000, 5}, {1, 1005, 20}, {2, 1025, 30}});
  profiler_.add(work, {{0, 900, 3}, {1, 903, 40}});
  const std::vector<Profiler::Kernel> kernels = profiler_.kernels();
  ASSERT_EQ(kernels.size(), 1u);
  const Profiler::Kernel& kernel = kernels[0];
  EXPECT_EQ(kernel.function.name, "work");
  EXPECT_EQ(kernel.launches.count, 2);
  EXPECT_EQ(kernel.launches.total, 98);
  EXPECT_EQ(kernel.launches.min, 43);
  EXPECT_EQ(kernel.launches.max, 55);
  ASSERT_EQ(kernel.tasks.size(), 3u);
  EXPECT_EQ(kernel.tasks[0].name, "work:5 serial");
  EXPECT_EQ(kernel.tasks[1].name, "work:6 for");
  EXPECT_EQ(kernel.tasks[2].name, "work:9 for (second)");
  EXPECT_EQ(kernel.tasks[1].times.total, 60);
  EXPECT_EQ(kernel.tasks[2].times.count, 1);
  // The launch that ended last began first.
  const Profiler::Records records = profiler_.records();
  ASSERT_EQ(records.list.size(), 5u);
  EXPECT_EQ(records.list[0].begin, 100);
  EXPECT_EQ(records.list[3].begin, 0);
  EXPECT_EQ(records.dropped, 0u);
}

TEST_F(ProfilerTest, VariantsShareRows) {
  const KernelCode first = code(9), same = code(9), other = code(12);
  for (const KernelCode* work : {&first, &same, &other}) profiler_.add(*work, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}});
  const std::vector<Profiler::Kernel> kernels = profiler_.kernels();
  ASSERT_EQ(kernels.size(), 1u);
  ASSERT_EQ(kernels[0].tasks.size(), 4u);
  EXPECT_EQ(kernels[0].tasks[0].times.count, 3);
  EXPECT_EQ(kernels[0].tasks[2].times.count, 2);
  EXPECT_EQ(kernels[0].tasks[3].name, "work:12 for (second)");
  EXPECT_EQ(kernels[0].tasks[3].times.count, 1);
}

TEST_F(ProfilerTest, TasksOfOneNameHaveRowsOfTheirOwn) {
  KernelCode twice = code(6);  // both loops stand on line 6
  profiler_.add(twice, {{0, 0, 1}, {1, 1, 2}, {2, 3, 4}});
  EXPECT_EQ(profiler_.kernels()[0].tasks.size(), 3u);
}

TEST_F(ProfilerTest, OldRecordsGo) {
  const KernelCode work = code(9);
  const std::vector<device::TaskTime> many(1000, {1, 7, 1});
  size_t added = 0;
  for (; added <= Profiler::kMostRecords; added += many.size()) profiler_.add(work, many);
  const Profiler::Records records = profiler_.records();
  EXPECT_EQ(records.list.size(), Profiler::kMostRecords);
  EXPECT_EQ(records.dropped, added - Profiler::kMostRecords);
  EXPECT_EQ(profiler_.kernels()[0].tasks[1].times.count, static_cast<int64_t>(added));
}

TEST_F(ProfilerTest, Clear) {
  const KernelCode work = code(9);
  profiler_.add(work, {{0, 500, 5}});
  profiler_.clear();
  EXPECT_TRUE(profiler_.kernels().empty());
  EXPECT_TRUE(profiler_.records().list.empty());
  profiler_.add(work, {{0, 700, 5}});
  EXPECT_EQ(profiler_.records().list[0].begin, 0);
}

}  // namespace
}  // namespace qd
