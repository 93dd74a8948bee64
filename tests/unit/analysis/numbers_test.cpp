// Percentages. Expected texts come from coverage.py's Numbers and results.py.
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

}  // namespace
}  // namespace qd::report
