// f16 on the host.
#include "runtime/ir/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace qd::ir {
namespace {

constexpr uint16_t kInfinity = 0x7c00;

TEST(Half, EveryNumberReadsBack) {
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    const auto half = static_cast<uint16_t>(bits);
    const double value = double_from_half(half);
    if ((half & 0x7fff) > kInfinity) {
      EXPECT_TRUE(std::isnan(value));
      EXPECT_TRUE(std::isnan(double_from_half(half_from_double(value))));
    } else {
      EXPECT_EQ(half_from_double(value), half) << bits;
    }
  }
}

TEST(Half, RoundsOnceAndTiesToEven) {
  for (uint16_t bits = 0; bits < kInfinity; bits++) {
    const double here = double_from_half(bits);
    const double next = bits + 1 == kInfinity ? 65536 : double_from_half(static_cast<uint16_t>(bits + 1));
    const double tie = (here + next) / 2;
    const auto above = static_cast<uint16_t>(bits + 1);
    EXPECT_EQ(half_from_double(tie), bits % 2 == 0 ? bits : above) << bits;
    EXPECT_EQ(half_from_double(std::nextafter(tie, 0)), bits) << bits;
    EXPECT_EQ(half_from_double(std::nextafter(tie, 1e6)), above) << bits;
    EXPECT_EQ(half_from_double(-tie), (bits % 2 == 0 ? bits : above) | 0x8000) << bits;
  }
}

TEST(Half, Extremes) {
  EXPECT_EQ(half_from_double(1e300), kInfinity);
  EXPECT_EQ(half_from_double(-std::numeric_limits<double>::infinity()), kInfinity | 0x8000);
  EXPECT_EQ(half_from_double(1e-300), 0);
  EXPECT_EQ(half_from_double(-0.0), 0x8000);
}

}  // namespace
}  // namespace qd::ir
