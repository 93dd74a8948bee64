// Schedules are printed, read back, verified and packed with their kernels.
#include "runtime/ir/schedule.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "runtime/ir/kernel.h"
#include "runtime/ir/pack.h"

namespace qd::ir {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

constexpr std::string_view kTasks = R"(
task serial a {
  body {
    %0 = const i32 0
  }
}

task serial b {
  body {
    %1 = const f32 0
    %2 = global_temp f32 1
    store %2, %1
  }
}
)";

Kernel with(std::string_view schedule) { return parse(fmt::format("kernel k\ntemps 2\n{}{}", schedule, kTasks)); }

constexpr std::string_view kNested = R"(
schedule {
  do_while temp 0 {
    fork {
      run 1
    } {
      if temp 0 {
        run 0
      } else {
      }
    } {
    }
  }
}
)";

TEST(Schedule, OfEachTaskInOrderIsNotPrinted) {
  const Kernel kernel = with("");
  EXPECT_TRUE(is_in_order(kernel.schedule, 2));
  EXPECT_THAT(print(kernel), Not(HasSubstr("schedule")));
  EXPECT_EQ(print(with("schedule { run 0 run 1 }")), print(kernel));
}

TEST(Schedule, OfAnotherKindIsPrinted) {
  const Kernel kernel = with(kNested);
  EXPECT_THAT(verify(kernel), IsEmpty());
  EXPECT_EQ(print(kernel), fmt::format("kernel k\ntemps 2\n{}{}", kNested, kTasks));
  const std::string swapped = print(with("schedule { run 1 run 0 }"));
  EXPECT_THAT(swapped, HasSubstr("\nschedule {\n  run 1\n  run 0\n}\n"));
  EXPECT_EQ(print(parse(swapped)), swapped);
  // An empty schedule stays empty.
  Kernel none = with("");
  none.schedule.clear();
  EXPECT_TRUE(parse(print(none)).schedule.empty());
}

TEST(Schedule, IsPackedWithItsKernel) {
  const Kernel kernel = with(kNested);
  const std::optional<Kernel> back = unpack(pack(kernel));
  ASSERT_TRUE(back);
  EXPECT_EQ(print(*back), print(kernel));
  EXPECT_EQ(pack(*back), pack(kernel));
  EXPECT_NE(pack(with("")), pack(with("schedule { run 1 run 0 }")));
}

Schedule nested(int depth) {
  Schedule schedule{Step::run(0), Step::run(1)};
  for (int i = 1; i < depth; ++i) {
    std::vector<Schedule> sections;
    sections.push_back(std::move(schedule));
    schedule = {Step::fork(std::move(sections))};
  }
  return schedule;
}

TEST(Schedule, NestsSoDeepAndNoDeeper) {
  Kernel kernel = with("");
  kernel.schedule = nested(kMaxStepDepth);
  EXPECT_THAT(verify(kernel), IsEmpty());
  EXPECT_EQ(print(parse(print(kernel))), print(kernel));
  EXPECT_TRUE(unpack(pack(kernel)));
  kernel.schedule = nested(kMaxStepDepth + 1);
  EXPECT_THAT(verify(kernel), Contains(HasSubstr("nests too deeply")));
  EXPECT_THAT([&] { parse(print(kernel)); }, ThrowsMessage<std::runtime_error>(HasSubstr("steps nest too deeply")));
  EXPECT_FALSE(unpack(pack(kernel)));
}

TEST(Schedule, IsVerified) {
  auto errors = [](Schedule schedule) {
    Kernel kernel = with("");
    kernel.schedule = std::move(schedule);
    return verify(kernel);
  };
  using S = Schedule;
  EXPECT_THAT(errors({Step::run(0), Step::run(1)}), IsEmpty());
  EXPECT_THAT(errors({Step::run(0)}), ElementsAre("task b stands in the schedule 0 times"));
  EXPECT_THAT(errors({Step::run(0), Step::do_while(0, S{Step::run(1), Step::run(0)})}),
              ElementsAre("task a stands in the schedule 2 times"));
  EXPECT_THAT(errors({Step::run(0), Step::run(1), Step::run(2)}),
              ElementsAre("the schedule runs task 2, which does not exist"));
  EXPECT_THAT(errors({Step::run(0), Step::do_while(2, S{Step::run(1)})}),
              ElementsAre("the schedule looks at temp 2, which does not exist"));
  EXPECT_THAT(errors({Step::run(0), Step::do_while(1, S{Step::run(1)})}),
              ElementsAre(HasSubstr("the schedule: temp 1 is i32 here and f32 elsewhere")));
  EXPECT_THAT(errors({Step::run(0), Step::choose(2, S{Step::run(1)}, {})}),
              ElementsAre("the schedule looks at temp 2, which does not exist"));
  Step odd = Step::run(1);
  odd.sections.emplace_back();
  EXPECT_THAT(errors({Step::run(0), odd}), ElementsAre("a step of the schedule has 1 sections"));
  Step empty = Step::do_while(0, {});
  empty.sections.clear();
  EXPECT_THAT(errors({Step::run(0), Step::run(1), empty}), ElementsAre("a step of the schedule has 0 sections"));
}

TEST(Schedule, KnowsWhichTasksRunOnce) {
  const Schedule schedule{Step::run(2),
                          Step::do_while(0, {Step::fork({{Step::run(0)}, {Step::choose(1, {Step::run(3)}, {})}})}),
                          Step::run(1), Step::choose(1, {}, {Step::run(4)})};
  EXPECT_THAT(varying_tasks(schedule, 5), ElementsAre(true, false, false, true, true));
  std::vector<int> conditions;
  walk_steps(schedule, [&](const Step&, int around) { conditions.push_back(around); });
  EXPECT_THAT(conditions, ElementsAre(0, 0, 1, 1, 1, 2, 0, 0, 1));
}

}  // namespace
}  // namespace qd::ir
