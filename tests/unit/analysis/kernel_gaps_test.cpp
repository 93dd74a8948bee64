// Lists of lines as reports print them.
#include "report/analysis/kernels/kernel_gaps.h"

#include <gtest/gtest.h>

namespace qd::report {
namespace {

TEST(KernelGaps, RangesEndAtStatementsThatAreNotAmongThem) {
  const std::vector<int32_t> statements{1, 2, 4, 6, 9, 12};
  EXPECT_EQ(format_lines(statements, {}, {}), "");
  EXPECT_EQ(format_lines(statements, {2}, {}), "2");
  EXPECT_EQ(format_lines(statements, {1, 2, 4}, {}), "1-4");
  EXPECT_EQ(format_lines(statements, {1, 4, 6, 12}, {}), "1, 4-6, 12");
  EXPECT_EQ(format_lines(statements, {9, 12}, {{2, 6}, {12, -1}}), "2->6, 9-12, 12->exit");
  EXPECT_EQ(format_lines({}, {3, 5}, {}), "3, 5");
}

}  // namespace
}  // namespace qd::report
