// Trials of two forms of a task, with made-up times.
#include "runtime/device/cpu/form_trial.h"

#include <functional>

#include <gtest/gtest.h>

namespace qd::device {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// A run's time, in nanoseconds, of an iteration in the first form.
using Machine = std::function<double(int run)>;

struct Result {
  double ratio = 0;
  bool is_other = false;
  int runs = 0;
};

/// A trial of forms of which the other one takes `ratio` of the first one's time.
Result trial_of(double ratio, const Machine& machine, const std::function<int64_t(int run)>& iterations) {
  FormTrial trial;
  trial.begin();
  Result result;
  for (int run = 0; run < 1000 && !trial.is_over(); ++run, ++result.runs) {
    const bool is_other = trial.is_other();
    const double each = machine(run) * (is_other ? ratio : 1);
    trial.note(is_other, iterations(run),
               nanoseconds(static_cast<int64_t>(each * static_cast<double>(iterations(run)))));
  }
  result.ratio = trial.ratio().value_or(0);
  result.is_other = trial.is_other();
  return result;
}

double steady(int) { return 100; }
int64_t thousand(int) { return 1000; }

TEST(FormTrial, KeepsTheFasterForm) {
  for (const double ratio : {0.3, 0.8, 1.0, 1.2, 4.0}) {
    const Result result = trial_of(ratio, steady, thousand);
    EXPECT_NEAR(result.ratio, ratio, 0.01);
    EXPECT_EQ(result.is_other, ratio < 0.9) << ratio;
  }
}

TEST(FormTrial, KeepsTheFirstFormWhereTheOtherOneIsHardlyFaster) {
  EXPECT_FALSE(trial_of(0.97, steady, thousand).is_other);
}

TEST(FormTrial, EndsSoonWhereTheFormsDifferByFar) {
  EXPECT_LE(trial_of(5, steady, thousand).runs, 9);
  EXPECT_LE(trial_of(0.2, steady, thousand).runs, 9);
  EXPECT_GT(trial_of(1.1, steady, thousand).runs, 9);
}

TEST(FormTrial, AMachineThatGetsSlowerCountsForNoForm) {
  const auto slower = [](int run) { return 100.0 + 20 * run; };
  for (const double ratio : {0.8, 1.25}) EXPECT_NEAR(trial_of(ratio, slower, thousand).ratio, ratio, 0.05);
}

TEST(FormTrial, LaunchesThatDifferByTurnsCountForNoForm) {
  const auto by_turns = [](int run) { return run % 2 == 0 ? 50.0 : 300.0; };
  const auto lengths = [](int run) { return run % 2 == 0 ? int64_t{64} : int64_t{1} << 20; };
  for (const double ratio : {0.8, 1.25}) EXPECT_NEAR(trial_of(ratio, by_turns, lengths).ratio, ratio, 0.05);
}

TEST(FormTrial, FewRunsThatAreDisturbedCountForNoForm) {
  const auto disturbed = [](int run) { return run % 11 == 3 ? 5000.0 : 100.0; };
  for (const double ratio : {0.8, 1.25}) EXPECT_NEAR(trial_of(ratio, disturbed, thousand).ratio, ratio, 0.05);
}

TEST(FormTrial, RunsWithoutIterationsSayNothing) {
  const auto empty = [](int run) { return run % 3 == 0 ? int64_t{0} : int64_t{1000}; };
  const Result result = trial_of(0.8, steady, empty);
  EXPECT_NEAR(result.ratio, 0.8, 0.01);
  EXPECT_TRUE(result.is_other);
}

TEST(FormTrial, RunsOfAnotherThreadInTheOtherFormSayNothing) {
  FormTrial trial;
  trial.begin();
  for (int run = 0; run < 1000 && !trial.is_over(); ++run) {
    const bool is_other = trial.is_other();
    trial.note(!is_other, 1000, nanoseconds(1));
    trial.note(is_other, 1000, nanoseconds(is_other ? 50000 : 100000));
  }
  EXPECT_NEAR(trial.ratio().value_or(0), 0.5, 0.01);
}

TEST(FormTrial, AsksForTheOtherFormOnceWhenTheFirstOneHasRunLong) {
  FormTrial trial;
  trial.note(false, 1000, milliseconds(10));
  EXPECT_FALSE(trial.wants_other());
  trial.note(false, 1000, milliseconds(25));
  EXPECT_TRUE(trial.wants_other());
  EXPECT_FALSE(trial.wants_other());
  trial.note(false, 1000, milliseconds(100));
  EXPECT_FALSE(trial.wants_other());
  EXPECT_FALSE(trial.is_other());
  trial.dropped();
  EXPECT_FALSE(trial.wants_other());
  trial.note(false, 1000, milliseconds(100));
  EXPECT_TRUE(trial.wants_other());
}

}  // namespace
}  // namespace qd::device
