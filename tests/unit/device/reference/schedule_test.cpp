// The steps of a schedule: runs, loops, ifs and forks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "tests/unit/device/reference/interpreted.h"

namespace qd::device::reference::testing {
namespace {

using State = Interpreter::State;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Task 0: temp 0 = 3. Task 1: temp 1 += temp 0; temp 0 -= 1. Task 2: temp 1 *= 10.
constexpr std::string_view kTasks = R"(
task serial set start_counter 0 {
  body {
    %0 = global_temp i32 0
    %1 = const i32 3
    store %0, %1
  }
}
task serial add start_counter 1 {
  body {
    %2 = global_temp i32 0
    %3 = global_temp i32 1
    %4 = load i32 %2
    %5 = load i32 %3
    %6 = add i32 %5, %4
    store %3, %6
    %7 = const i32 1
    %8 = sub i32 %4, %7
    store %2, %8
  }
}
task serial multiply start_counter 2 {
  body {
    %9 = global_temp i32 1
    %10 = load i32 %9
    %11 = const i32 10
    %12 = mul i32 %10, %11
    store %9, %12
  }
}
)";

Interpreted with(std::string_view schedule) {
  Interpreted launch(std::string("kernel k temps 2 counters 4 end_counter 3\n") + std::string(schedule) +
                     std::string(kTasks));
  EXPECT_THAT(ir::verify(launch.kernel), IsEmpty());
  return launch;
}

TEST(Schedule, RunsTasksInOrderWithoutOne) {
  Interpreted launch = with("");
  EXPECT_EQ(launch.run(), State::Finished);
  EXPECT_THAT(launch.temps, ElementsAre(2, 30));
  EXPECT_THAT(launch.counters, ElementsAre(1, 1, 1, 1));
}

TEST(Schedule, RunsTasksInItsOwnOrder) {
  Interpreted launch = with("schedule { run 0 run 2 run 1 }");
  EXPECT_EQ(launch.run(), State::Finished);
  EXPECT_THAT(launch.temps, ElementsAre(2, 3));
}

TEST(Schedule, RepeatsTheBodyOfALoopUntilItsConditionIsZero) {
  Interpreted launch = with("schedule { run 0 do_while temp 0 { run 1 } run 2 }");
  EXPECT_EQ(launch.run(), State::Finished);
  EXPECT_THAT(launch.temps, ElementsAre(0, 60));
  EXPECT_THAT(launch.counters, ElementsAre(1, 3, 1, 1));
}

/// The condition's value from before does not count.
TEST(Schedule, RunsTheBodyOfALoopOnceAtLeast) {
  Interpreted launch = with("schedule { do_while temp 1 { run 0 do_while temp 0 { run 2 run 1 } } }");
  launch.temps = {7, 0};
  // 0 * 10 + 3, * 10 + 2, * 10 + 1; the outer condition is not 0 then, and its body runs again.
  Interpreter interpreter = launch.start();
  for (int i = 0; i < 9; ++i) EXPECT_EQ(interpreter.advance(), State::Running);
  EXPECT_THAT(launch.temps, ElementsAre(0, 321));
  while (launch.counters[0] < 2) EXPECT_EQ(interpreter.advance(), State::Running);
  EXPECT_THAT(launch.temps, ElementsAre(3, 321));
}

TEST(Schedule, RunsOneSectionOfAnIf) {
  Interpreted yes = with("schedule { run 0 if temp 0 { run 1 } else { run 2 } }");
  EXPECT_EQ(yes.run(), State::Finished);
  EXPECT_THAT(yes.counters, ElementsAre(1, 1, 0, 1));
  Interpreted no = with("schedule { if temp 0 { run 1 run 2 } else { } run 0 }");
  EXPECT_EQ(no.run(), State::Finished);
  EXPECT_THAT(no.counters, ElementsAre(1, 0, 0, 1));
}

TEST(Schedule, RunsSectionsOfAForkInSomeOrder) {
  std::set<uint64_t> results;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Interpreted launch = with("schedule { run 0 fork { run 1 } { run 2 } }");
    launch.options.seed = seed;
    EXPECT_EQ(launch.run(), State::Finished);
    EXPECT_THAT(launch.counters, ElementsAre(1, 1, 1, 1));
    results.insert(launch.temps[1]);
  }
  EXPECT_THAT(results, ElementsAre(3, 30));
}

TEST(Schedule, AFailedAssertEndsIt) {
  Interpreted launch(R"(kernel k
format 0 "no"
counters 3
end_counter 2
schedule { fork { run 0 } run 1 }
task serial a start_counter 0 { body { %0 = const u1 false assert 0 %0 } }
task serial b start_counter 1 { body { %1 = const i32 0 } }
)");
  Interpreter interpreter = launch.start();
  EXPECT_EQ(interpreter.run(), State::Failed);
  EXPECT_EQ(interpreter.advance(), State::Failed);
  EXPECT_THAT(launch.counters, ElementsAre(1, 0, 0));
  EXPECT_EQ(interpreter.tasks(), 1);
}

TEST(Schedule, LaunchersCountOnRequestAlone) {
  Interpreted launch = with("");
  launch.options.host_counts = false;
  launch.run();
  EXPECT_THAT(launch.counters, ElementsAre(0, 0, 0, 0));
}

}  // namespace
}  // namespace qd::device::reference::testing
