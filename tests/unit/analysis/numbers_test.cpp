// Percentages and thresholds. Expected texts come from coverage.py's Numbers and results.py.
#include <gtest/gtest.h>

#include "report/analysis/analysis.h"
#include "report/analysis/numbers.h"

namespace qd::report {
namespace {

Numbers numbers(int32_t statements, int32_t missing, int32_t branches = 0, int32_t missing_branches = 0) {
  Numbers result;
  result.n_files = 1;
  result.n_statements = statements;
  result.n_missing = missing;
  result.n_branches = branches;
  result.n_missing_branches = missing_branches;
  return result;
}

TEST(Numbers, NothingToCoverIsAll) {
  EXPECT_EQ(numbers(0, 0).pc_covered(), 100.0);
  EXPECT_EQ(numbers(0, 0).pc_covered_str(), "100");
}

TEST(Numbers, NeverRoundsToAllOrNothing) {
  EXPECT_EQ(numbers(1000, 1).pc_covered_str(), "99");
  EXPECT_EQ(numbers(1000, 999).pc_covered_str(), "1");
  EXPECT_EQ(numbers(1000, 1).pc_covered_str(1), "99.9");
  EXPECT_EQ(numbers(10000, 1).pc_covered_str(1), "99.9");
  EXPECT_EQ(numbers(1000, 0).pc_covered_str(2), "100.00");
  EXPECT_EQ(numbers(1000, 1000).pc_covered_str(2), "0.00");
}

TEST(Numbers, RoundsHalfToEven) {
  EXPECT_EQ(numbers(200, 75).pc_covered_str(), "62");  // 62.5
  EXPECT_EQ(numbers(200, 73).pc_covered_str(), "64");  // 63.5
  EXPECT_EQ(numbers(8, 7).pc_covered_str(2), "12.50");
}

TEST(Numbers, BranchesCountLikeStatements) {
  EXPECT_EQ(numbers(6, 1, 4, 2).pc_covered(), 70.0);
  Numbers sum = numbers(6, 1, 4, 2);
  sum += numbers(10, 10);
  EXPECT_EQ(sum.n_files, 2);
  EXPECT_EQ(sum.pc_covered(), 35.0);
}

TEST(FailUnder, UsesThePrecisionOfTheThreshold) {
  EXPECT_FALSE(should_fail_under(49.6, 50, 0));
  EXPECT_TRUE(should_fail_under(49.6, 50, 1));
  EXPECT_TRUE(should_fail_under(49.6, 49.7, 0));
  EXPECT_EQ(fail_under_message(49.64, 49.7, 0), "total of 49.6 is less than fail-under=49.7");
  EXPECT_EQ(fail_under_message(49.4, 50, 2), "total of 49.40 is less than fail-under=50.00");
}

TEST(FailUnder, HundredMustBeExact) {
  EXPECT_FALSE(should_fail_under(100, 100, 0));
  EXPECT_TRUE(should_fail_under(99.99999, 100, 0));
  EXPECT_EQ(fail_under_message(99.99999, 100, 0), "total of 99 is less than fail-under=100");
}

TEST(FailUnder, MustBeAPercentage) {
  EXPECT_THROW(should_fail_under(50, 101, 0), std::runtime_error);
  EXPECT_THROW(should_fail_under(50, -0.5, 0), std::runtime_error);
}

}  // namespace
}  // namespace qd::report
