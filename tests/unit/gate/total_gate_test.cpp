// Threshold of the total. Expected texts come from coverage.py's results.py.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "report/gate/total_gate.h"

namespace qd::report {
namespace {

TEST(TotalGate, UsesThePrecisionOfTheThreshold) {
  EXPECT_EQ(total_below(49.6, 50, 0), "");
  EXPECT_EQ(total_below(49.6, 50, 1), "total of 49.6 is less than fail-under=50.0");
  EXPECT_EQ(total_below(49.64, 49.7, 0), "total of 49.6 is less than fail-under=49.7");
  EXPECT_EQ(total_below(49.4, 50, 2), "total of 49.40 is less than fail-under=50.00");
  EXPECT_EQ(total_below(49.5, 49, -1), "");  // rounded to 50
}

TEST(TotalGate, HundredMustBeExact) {
  EXPECT_EQ(total_below(100, 100, 0), "");
  EXPECT_EQ(total_below(99.99999, 100, 0), "total of 99 is less than fail-under=100");
}

TEST(TotalGate, TinyThresholdsAreNotNothing) {
  EXPECT_EQ(total_below(0, 0, 0), "");
  EXPECT_EQ(total_below(0, 1e-9, 0), "total of 0.000000000 is less than fail-under=0.000000001");
  EXPECT_NE(total_below(0, std::numeric_limits<double>::denorm_min(), 0), "");
}

TEST(TotalGate, MustBeAPercentage) {
  for (double wrong : {101.0, 100.0000001, -0.5, std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    EXPECT_THROW(total_below(50, wrong, 0), std::runtime_error) << wrong;
}

}  // namespace
}  // namespace qd::report
