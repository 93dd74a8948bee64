// The arithmetic of bounds, at the ends of the types that loops count in.
#include "runtime/ir/iterations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace qd::ir {
namespace {

constexpr int64_t kLow = std::numeric_limits<int64_t>::min(), kHigh = std::numeric_limits<int64_t>::max();

/// The number of iterations over axes of one type with constant bounds: begin, end of each.
int64_t count(Type counts, const std::vector<int64_t>& numbers) {
  std::vector<Bound> bounds;
  for (int64_t number : numbers) bounds.push_back({Bound::Kind::Const, number, 0, counts});
  return iterations(bounds, [](const Bound& bound) { return bound.value; });
}

TEST(Iterations, AreCountedInTheTypeOfTheBounds) {
  EXPECT_EQ(count(Type::I32, {0, 5}), 5);
  EXPECT_EQ(count(Type::I32, {5, 0}), 0);
  EXPECT_EQ(count(Type::I32, {INT32_MIN, INT32_MAX}), int64_t{UINT32_MAX});
  EXPECT_EQ(count(Type::I64, {int64_t{1} << 40, (int64_t{1} << 40) + 3}), 3);
  EXPECT_EQ(count(Type::I64, {kHigh, kLow}), 0);
  EXPECT_EQ(count(Type::U64, {kHigh, kLow}), 1) << "2^63 - 1 to 2^63";
  EXPECT_EQ(count(Type::U64, {-1, 3}), 0) << "2^64 - 1 to 3";
  EXPECT_EQ(count(Type::U64, {-4, -1}), 3);
}

TEST(Iterations, OfSeveralAxesDoNotWrap) {
  EXPECT_EQ(count(Type::I32, {0, 1 << 20, 0, 1 << 20}), int64_t{1} << 40);
  EXPECT_EQ(count(Type::I32, {0, INT32_MAX, 0, INT32_MAX, 0, 0}), 0);
  EXPECT_EQ(count(Type::I32, {0, INT32_MAX, 0, INT32_MAX, 0, INT32_MAX}), kTooManyIterations);
  EXPECT_EQ(count(Type::I64, {0, kHigh, 0, kHigh, 3, 3}), 0) << "an empty axis behind two that are too long";
}

TEST(Iterations, HaveALimit) {
  EXPECT_EQ(count(Type::I64, {0, kMostIterations}), kMostIterations);
  EXPECT_EQ(count(Type::I64, {0, kMostIterations + 1}), kTooManyIterations);
  EXPECT_EQ(count(Type::I64, {kLow, kHigh}), kTooManyIterations);
  EXPECT_NO_THROW(require_countable(kMostIterations));
  EXPECT_THROW(require_countable(kTooManyIterations), std::overflow_error);
}

TEST(Iterations, ReadBoundsFromWords) {
  const uint64_t word = 0x1'ffff'fffe;
  EXPECT_EQ(bound_in_word({Bound::Kind::Param, 0, 0, Type::I32}, word), -2);
  EXPECT_EQ(bound_in_word({Bound::Kind::Param, 0, 0, Type::U32}, word), 0xffff'fffe);
  EXPECT_EQ(bound_in_word({Bound::Kind::Param, 0, 0, Type::I64}, word), 0x1'ffff'fffe);
}

TEST(Iterations, CastsThatKeepValues) {
  EXPECT_TRUE(keeps_values(Type::I32, Type::I64));
  EXPECT_TRUE(keeps_values(Type::U32, Type::I64));
  EXPECT_TRUE(keeps_values(Type::U8, Type::U64));
  EXPECT_FALSE(keeps_values(Type::I32, Type::U64));
  EXPECT_FALSE(keeps_values(Type::I32, Type::U32));
  EXPECT_FALSE(keeps_values(Type::I64, Type::I32));
  EXPECT_FALSE(keeps_values(Type::F32, Type::I64));
  EXPECT_FALSE(keeps_values(Type::U1, Type::I32));
}

}  // namespace
}  // namespace qd::ir
