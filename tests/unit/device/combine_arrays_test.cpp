// Arrays of parts of a task, combined with the shared one: each operation on each type, and what stays as it was.
#include "runtime/device/cpu/combine_arrays.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <latch>
#include <limits>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/ir/neutral.h"

namespace qd::device {
namespace {

using ir::AtomicOp;
using ir::Type;

template <typename T>
constexpr Type kType = std::is_same_v<T, float>      ? Type::F32
                       : std::is_same_v<T, double>   ? Type::F64
                       : std::is_same_v<T, int32_t>  ? Type::I32
                       : std::is_same_v<T, int64_t>  ? Type::I64
                       : std::is_same_v<T, uint32_t> ? Type::U32
                                                     : Type::U64;

template <typename T>
T neutral(AtomicOp op) {
  const uint64_t bits = *ir::neutral(op, kType<T>);
  T result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

void combine(void* shared, const void* own, uint64_t numbers, AtomicOp op, Type type) {
  combine_arrays(shared, own, numbers, static_cast<uint32_t>(op), static_cast<uint32_t>(type));
}

template <typename T>
class CombinedArrays : public testing::Test {};

using Types = testing::Types<float, double, int32_t, int64_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(CombinedArrays, Types);

/// Combines arrays of each length, at both addresses that a number of 32 bits may have in a word, and compares with
/// `expected(shared, own)`.
template <typename T, typename Expected>
void check(AtomicOp op, Expected expected) {
  for (size_t numbers = 0; numbers < 40; ++numbers) {
    for (size_t begin : {0, 1}) {
      std::vector<T> shared(numbers + 2), own(numbers, neutral<T>(op));
      for (size_t i = 0; i < shared.size(); ++i) shared[i] = static_cast<T>(7 * i % 23);
      for (size_t i = 0; i < numbers; ++i) {
        if (i % 5 < 2 || i > 30) own[i] = static_cast<T>(3 * i % 17);
      }
      std::vector<T> wanted = shared;
      for (size_t i = 0; i < numbers; ++i) {
        if (own[i] != neutral<T>(op)) wanted[begin + i] = expected(shared[begin + i], own[i]);
      }
      combine(shared.data() + begin, own.data(), numbers, op, kType<T>);
      ASSERT_EQ(shared, wanted) << numbers << " numbers from " << begin;
    }
  }
}

TYPED_TEST(CombinedArrays, HaveSumsAndExtremes) {
  using T = TypeParam;
  check<T>(AtomicOp::Add, [](T a, T b) { return static_cast<T>(a + b); });
  check<T>(AtomicOp::Min, [](T a, T b) { return a < b ? a : b; });
  check<T>(AtomicOp::Max, [](T a, T b) { return a > b ? a : b; });
}

TYPED_TEST(CombinedArrays, HaveBits) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T>) {
    check<T>(AtomicOp::And, [](T a, T b) { return static_cast<T>(a & b); });
    check<T>(AtomicOp::Or, [](T a, T b) { return static_cast<T>(a | b); });
    check<T>(AtomicOp::Xor, [](T a, T b) { return static_cast<T>(a ^ b); });
  }
}

TYPED_TEST(CombinedArrays, KeepNumbersBesideThoseThatChange) {
  using T = TypeParam;
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    for (AtomicOp op : {AtomicOp::Add, AtomicOp::Min, AtomicOp::Max}) {
      std::vector<T> shared{kNan, T{1}, T{-0.0}, T{2}}, own{neutral<T>(op), T{5}, neutral<T>(op), T{5}};
      combine(shared.data(), own.data(), shared.size(), op, kType<T>);
      EXPECT_TRUE(std::isnan(shared[0]));
      EXPECT_TRUE(std::signbit(shared[2]));
      EXPECT_EQ(shared[1], op == AtomicOp::Add ? T{6} : op == AtomicOp::Min ? T{1} : T{5});
    }
  }
}

TEST(CombinedArrays, LoseNothingAmongThreads) {
  constexpr int kRounds = 50000;
  std::vector<float> shared(64);
  const std::vector<float> own(shared.size(), 1);
  std::latch begin(2);
  auto add = [&] {
    begin.arrive_and_wait();
    for (int i = 0; i < kRounds; ++i) combine(shared.data(), own.data(), own.size(), AtomicOp::Add, Type::F32);
  };
  std::thread first(add), second(add);
  first.join();
  second.join();
  EXPECT_EQ(shared, std::vector<float>(shared.size(), 2 * kRounds));
}

}  // namespace
}  // namespace qd::device
