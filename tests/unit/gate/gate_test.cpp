// Thresholds as exact fractions, against all small cases counted in whole numbers.
#include <gtest/gtest.h>

#include "report/gate/gate.h"

namespace qd::report {
namespace {

TEST(Gate, ThresholdsAreReadAsWritten) {
  auto half = parse_threshold("99.50");
  ASSERT_TRUE(half);
  EXPECT_EQ(half->numerator, 9950);
  EXPECT_EQ(half->denominator, 100);
  for (const char* text : {"0", "100", "100.0", "00", ".5", "5."}) EXPECT_TRUE(parse_threshold(text)) << text;
  for (const char* text :
       {"", ".", "-1", "+1", "100.01", "1e1", "0x1", "1.2.3", " 1", "1 ", "1.0000000001", "99999999999999999999"})
    EXPECT_FALSE(parse_threshold(text)) << text;
}

TEST(Gate, ReachesAgreesWithWholeNumbers) {
  for (int tenths = 0; tenths <= 1000; tenths += 7) {
    auto threshold = parse_threshold(std::to_string(tenths / 10) + "." + std::to_string(tenths % 10));
    ASSERT_TRUE(threshold);
    for (int64_t total = 0; total <= 40; ++total) {
      int64_t needed = total;  // the smallest number that reaches
      for (int64_t covered = total; covered >= 0; --covered) {
        bool expected = covered * 1000 >= total * tenths;
        EXPECT_EQ(reaches(covered, total, *threshold), expected)
            << covered << '/' << total << " of " << threshold->text;
        if (expected) needed = covered;
      }
      for (int64_t covered = 0; covered <= total; ++covered)
        EXPECT_EQ(lacking(covered, total, *threshold), std::max<int64_t>(0, needed - covered));
    }
  }
}

TEST(Gate, PercentagesAreCutOff) {
  EXPECT_EQ(percent_down(2, 3, 0), "66");
  EXPECT_EQ(percent_down(2, 3, 2), "66.66");
  EXPECT_EQ(percent_down(1, 1000, 1), "0.1");
  EXPECT_EQ(percent_down(1, 20, 3), "5.000");
  EXPECT_EQ(percent_down(999999999999, 1000000000000, 9), "99.999999999");
}

TEST(Gate, LargeCountsDoNotOverflow) {
  auto threshold = parse_threshold("99.999999999");
  ASSERT_TRUE(threshold);
  int64_t total = 4'000'000'000;
  EXPECT_TRUE(reaches(total, total, *threshold));
  EXPECT_TRUE(reaches(total - 0, total, *parse_threshold("100")));
  EXPECT_FALSE(reaches(total - 1, total, *parse_threshold("100")));
  EXPECT_FALSE(reaches(total - 1, total, *threshold));
}

}  // namespace
}  // namespace qd::report
