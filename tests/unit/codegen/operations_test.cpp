// Every operation on every type against the same operation in C++, over edge values and all pairs of them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/unit/codegen/task_builder.h"

namespace qd::codegen {
namespace {

using ir::BinaryOp;
using ir::CompareOp;
using ir::Op;
using ir::Type;
using ir::UnaryOp;
using testing::TaskBuilder;
using testing::type_of;

using Int128 = __int128;

template <class T>
using Memory = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

template <class T>
std::vector<Memory<T>> edge_values() {
  if constexpr (std::is_same_v<T, bool>) {
    return {0, 1};
  } else if constexpr (std::is_floating_point_v<T>) {
    using L = std::numeric_limits<T>;
    return {0,
            T(-0.0),
            1,
            -1,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            3,
            7,
            -7,
            T(0.1),
            T(1e-10),
            100,
            1e6,
            -1e6,
            L::max(),
            L::lowest(),
            L::infinity(),
            -L::infinity(),
            L::quiet_NaN()};
  } else {
    using L = std::numeric_limits<T>;
    std::vector<T> values{0,  1,  2,  3,  5,  7,   8,        15,           16,       31,
                          32, 33, 63, 64, 65, 100, L::max(), L::max() - 1, L::min(), L::min() + 1};
    if constexpr (std::is_signed_v<T>) values.insert(values.end(), {-1, -2, -3, -5, -7, -8, -100});
    return values;
  }
}

/// Python's meaning on numbers of limited width; a division by zero gives 0.
template <class T>
T integer_binary(BinaryOp op, T a, T b) {
  constexpr int kWidth = std::is_same_v<T, bool> ? 1 : 8 * sizeof(T);
  using Unsigned = std::make_unsigned_t<Memory<T>>;
  Int128 x = a, y = b;
  Int128 quotient = y == 0 ? 0 : x / y;
  Int128 rest = y == 0 ? 0 : x % y;
  bool down = rest != 0 && (rest < 0) != (y < 0);
  bool out = y < 0 || y >= kWidth;
  auto wrapped = [](Int128 value) {
    return std::is_same_v<T, bool> ? static_cast<T>(value & 1) : static_cast<T>(static_cast<uint64_t>(value));
  };
  switch (op) {
    case BinaryOp::Add: return wrapped(x + y);
    case BinaryOp::Sub: return wrapped(x - y);
    case BinaryOp::Mul:
      return wrapped(static_cast<Int128>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y)));  // of u64, too
    case BinaryOp::Div:
    case BinaryOp::RawDiv: return wrapped(quotient);
    case BinaryOp::FloorDiv: return wrapped(quotient - down);
    case BinaryOp::Mod: return wrapped(down ? rest + y : rest);
    case BinaryOp::RawMod: return wrapped(rest);
    case BinaryOp::Pow: {
      if (y < 0) return x == 1 ? 1 : x == -1 ? wrapped(y % 2 == 0 ? 1 : -1) : T(0);
      uint64_t result = 1, square = static_cast<uint64_t>(x);
      for (uint64_t n = static_cast<uint64_t>(y); n; n >>= 1, square *= square) {
        if (n & 1) result *= square;
      }
      return wrapped(static_cast<Int128>(result));
    }
    case BinaryOp::Shl: return out ? T(0) : wrapped(static_cast<Int128>(static_cast<uint64_t>(x) << y));
    case BinaryOp::Shr: return out ? (x < 0 ? wrapped(-1) : T(0)) : wrapped(x >> y);
    case BinaryOp::LogicalShr: return out ? T(0) : wrapped(static_cast<Int128>(static_cast<Unsigned>(a) >> y));
    case BinaryOp::BitAnd: return wrapped(x & y);
    case BinaryOp::BitOr: return wrapped(x | y);
    case BinaryOp::BitXor: return wrapped(x ^ y);
    case BinaryOp::Min: return a < b ? a : b;
    case BinaryOp::Max: return a < b ? b : a;
    case BinaryOp::Atan2: break;
  }
  throw std::logic_error("not for integers");
}

template <class T>
T float_binary(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::Add: return a + b;
    case BinaryOp::Sub: return a - b;
    case BinaryOp::Mul: return a * b;
    case BinaryOp::Div:
    case BinaryOp::RawDiv: return a / b;
    case BinaryOp::FloorDiv: return std::floor(a / b);
    case BinaryOp::Mod: {
      T rest = std::fmod(a, b);
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
    case BinaryOp::RawMod: return std::fmod(a, b);
    case BinaryOp::Pow: return std::pow(a, b);
    case BinaryOp::Atan2: return std::atan2(a, b);
    case BinaryOp::Min: return std::fmin(a, b);
    case BinaryOp::Max: return std::fmax(a, b);
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::LogicalShr:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor: break;
  }
  throw std::logic_error("not for floats");
}

template <class T>
T float_unary(UnaryOp op, T x) {
  switch (op) {
    case UnaryOp::Neg: return -x;
    case UnaryOp::Abs: return std::fabs(x);
    case UnaryOp::Sign: return x > 0 ? 1 : x < 0 ? -1 : x;
    case UnaryOp::Sqrt: return std::sqrt(x);
    case UnaryOp::Rsqrt: return 1 / std::sqrt(x);
#define QD_FUNCTION(name, function, derivative) \
  case UnaryOp::name: return std::function(x);
#include "runtime/ir/operators.def"
    case UnaryOp::Floor: return std::floor(x);
    case UnaryOp::Ceil: return std::ceil(x);
    case UnaryOp::Round: return std::nearbyint(x);
    case UnaryOp::BitNot:
    case UnaryOp::LogicalNot:
    case UnaryOp::IsNan:
    case UnaryOp::IsInf:
    case UnaryOp::Popcnt:
    case UnaryOp::Clz:
    case UnaryOp::Ffs: break;
  }
  throw std::logic_error("not for floats");
}

constexpr BinaryOp kCommonBinary[] = {BinaryOp::Add, BinaryOp::Sub,    BinaryOp::Mul,    BinaryOp::FloorDiv,
                                      BinaryOp::Mod, BinaryOp::RawDiv, BinaryOp::RawMod, BinaryOp::Pow,
                                      BinaryOp::Min, BinaryOp::Max};
constexpr BinaryOp kIntegerBinary[] = {BinaryOp::Shl,    BinaryOp::Shr,   BinaryOp::LogicalShr,
                                       BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor};
constexpr BinaryOp kFloatBinary[] = {BinaryOp::Div, BinaryOp::Atan2};
constexpr CompareOp kCompare[] = {CompareOp::Lt, CompareOp::Le, CompareOp::Gt,
                                  CompareOp::Ge, CompareOp::Eq, CompareOp::Ne};

template <class T>
class Operations : public ::testing::Test {
 protected:
  using M = Memory<T>;
  static constexpr Type kType = type_of<T>();

  /// A function of the mathematical library may be off by 2 ulp.
  static bool equal(T a, T b, ir::Cost cost = ir::Cost::Cheap) {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T kInfinity = std::numeric_limits<T>::infinity();
      if (cost == ir::Cost::Library && std::isfinite(a) && std::isfinite(b)) {
        for (T step : {-kInfinity, kInfinity}) {
          if (a == std::nextafter(b, step) || a == std::nextafter(std::nextafter(b, step), step)) return true;
        }
      }
    }
    return a == b || (a != a && b != b);
  }

  /// Runs `build(builder, x, y)` over all pairs of values; out is [operation, pair].
  template <class R, class Build>
  static std::vector<Memory<R>> run(std::vector<M>& xs, std::vector<M>& ys, int32_t operations, Build build) {
    const auto n = static_cast<int32_t>(xs.size());
    std::vector<Memory<R>> out(operations * n);
    TaskBuilder b({0, n});
    uint32_t x = b.add_array(kType, {xs.data(), {n}}, 1);
    uint32_t y = b.add_array(kType, {ys.data(), {n}}, 1);
    uint32_t result = b.add_array(type_of<R>(), {out.data(), {operations, n}}, 2);
    ir::InstId i = b.index();
    ir::InstId a = b.load(b.element(x, {i}));
    ir::InstId c = b.load(b.element(y, {i}));
    for (int32_t op = 0; op < operations; ++op) b.store(b.element(result, {b.constant(op), i}), build(b, op, a, c));
    b.run(0, n);
    return out;
  }

  void SetUp() override {
    for (M x : edge_values<T>()) {
      for (M y : edge_values<T>()) {
        xs.push_back(x);
        ys.push_back(y);
      }
    }
  }
  std::vector<M> xs, ys;
};

using Types =
    ::testing::Types<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>;
TYPED_TEST_SUITE(Operations, Types);

TYPED_TEST(Operations, Binary) {
  using T = TypeParam;
  std::vector<BinaryOp> ops(std::begin(kCommonBinary), std::end(kCommonBinary));
  if constexpr (std::is_floating_point_v<T>) {
    ops.insert(ops.end(), std::begin(kFloatBinary), std::end(kFloatBinary));
  } else {
    ops.insert(ops.end(), std::begin(kIntegerBinary), std::end(kIntegerBinary));
  }
  auto out = this->template run<T>(
      this->xs, this->ys, static_cast<int32_t>(ops.size()),
      [&](TaskBuilder& b, int op, ir::InstId x, ir::InstId y) { return b.binary(ops[op], x, y); });
  for (size_t op = 0; op < ops.size(); ++op) {
    for (size_t i = 0; i < this->xs.size(); ++i) {
      T x = static_cast<T>(this->xs[i]), y = static_cast<T>(this->ys[i]);
      T expected;
      if constexpr (std::is_floating_point_v<T>) {
        expected = float_binary<T>(ops[op], x, y);
      } else {
        expected = integer_binary<T>(ops[op], x, y);
      }
      T got = static_cast<T>(out[op * this->xs.size() + i]);
      ASSERT_TRUE(this->equal(got, expected, ir::row(ops[op]).cost))
          << "BinaryOp " << static_cast<int>(ops[op]) << ": " << +x << ", " << +y << " gave " << +got << ", not "
          << +expected;
    }
  }
}

TYPED_TEST(Operations, Compare) {
  auto out = this->template run<bool>(this->xs, this->ys, 6, [&](TaskBuilder& b, int op, ir::InstId x, ir::InstId y) {
    return b.compare(kCompare[op], x, y);
  });
  for (size_t i = 0; i < this->xs.size(); ++i) {
    auto x = this->xs[i], y = this->ys[i];
    bool expected[] = {x<y, x <= y, x> y, x >= y, x == y, x != y};
    for (size_t op = 0; op < 6; ++op)
      ASSERT_EQ(out[op * this->xs.size() + i], expected[op]) << "CompareOp " << op << ": " << +x << ", " << +y;
  }
}

TYPED_TEST(Operations, Unary) {
  using T = TypeParam;
  std::vector<UnaryOp> ops{UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Sign};
  if constexpr (std::is_floating_point_v<T>) {
    for (UnaryOp op : {
#define QD_FUNCTION(name, function, derivative) UnaryOp::name,
#include "runtime/ir/operators.def"
             UnaryOp::Sqrt, UnaryOp::Rsqrt, UnaryOp::Floor, UnaryOp::Ceil, UnaryOp::Round}) {
      ops.push_back(op);
    }
  } else {
    ops.push_back(UnaryOp::BitNot);
  }
  auto out = this->template run<T>(this->xs, this->ys, static_cast<int32_t>(ops.size()),
                                   [&](TaskBuilder& b, int op, ir::InstId x, ir::InstId) {
                                     return b.inst(Op::Unary, this->kType, static_cast<uint32_t>(ops[op]), {x});
                                   });
  for (size_t op = 0; op < ops.size(); ++op) {
    for (size_t i = 0; i < this->xs.size(); ++i) {
      T x = static_cast<T>(this->xs[i]);
      T expected;
      if constexpr (std::is_floating_point_v<T>) {
        expected = float_unary<T>(ops[op], x);
      } else if (ops[op] == UnaryOp::BitNot) {
        expected = integer_binary<T>(BinaryOp::Sub, T(std::is_same_v<T, bool> ? 1 : -1), x);
      } else if (ops[op] == UnaryOp::Sign) {
        expected = static_cast<T>((x > T(0)) - (x < T(0)));
      } else if (ops[op] == UnaryOp::Abs && x >= T(0)) {
        expected = x;
      } else {
        expected = integer_binary<T>(BinaryOp::Sub, T(0), x);
      }
      T got = static_cast<T>(out[op * this->xs.size() + i]);
      ASSERT_TRUE(this->equal(got, expected, ir::row(ops[op]).cost))
          << "UnaryOp " << static_cast<int>(ops[op]) << " of " << +x << " gave " << +got << ", not " << +expected;
    }
  }
}

TYPED_TEST(Operations, Tests) {
  using T = TypeParam;
  const UnaryOp ops[] = {UnaryOp::LogicalNot, UnaryOp::IsNan, UnaryOp::IsInf};
  const int operations = std::is_floating_point_v<T> ? 3 : 1;
  auto out =
      this->template run<bool>(this->xs, this->ys, operations, [&](TaskBuilder& b, int op, ir::InstId x, ir::InstId) {
        return b.inst(Op::Unary, Type::U1, static_cast<uint32_t>(ops[op]), {x});
      });
  for (size_t i = 0; i < this->xs.size(); ++i) {
    T x = static_cast<T>(this->xs[i]);
    EXPECT_EQ(out[i], x == T(0));
    if constexpr (std::is_floating_point_v<T>) {
      EXPECT_EQ(out[this->xs.size() + i], std::isnan(x));
      EXPECT_EQ(out[2 * this->xs.size() + i], std::isinf(x));
    }
  }
}

TYPED_TEST(Operations, BitCounts) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const UnaryOp ops[] = {UnaryOp::Popcnt, UnaryOp::Clz, UnaryOp::Ffs};
    auto out =
        this->template run<int32_t>(this->xs, this->ys, 3, [&](TaskBuilder& b, int op, ir::InstId x, ir::InstId) {
          return b.inst(Op::Unary, Type::I32, static_cast<uint32_t>(ops[op]), {x});
        });
    size_t n = this->xs.size();
    for (size_t i = 0; i < n; ++i) {
      auto x = static_cast<std::make_unsigned_t<T>>(this->xs[i]);
      EXPECT_EQ(out[i], std::popcount(x));
      EXPECT_EQ(out[n + i], std::countl_zero(x));
      EXPECT_EQ(out[2 * n + i], x == 0 ? 0 : std::countr_zero(x) + 1);
    }
  }
}

template <class From, class To>
void check_cast() {
  std::vector<Memory<From>> values = edge_values<From>();
  const auto n = static_cast<int32_t>(values.size());
  std::vector<Memory<To>> out(n);
  TaskBuilder b({0, n});
  uint32_t x = b.add_array(type_of<From>(), {values.data(), {n}}, 1);
  uint32_t result = b.add_array(type_of<To>(), {out.data(), {n}}, 1);
  ir::InstId i = b.index();
  b.store(b.element(result, {i}), b.cast(type_of<To>(), b.load(b.element(x, {i}))));
  b.run(0, n);
  for (int32_t k = 0; k < n; ++k) {
    From value = static_cast<From>(values[k]);
    // Beyond the range of the target there is no right answer, but no crash either.
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
      long double whole = std::trunc(static_cast<long double>(value));
      if (!(whole >= std::numeric_limits<To>::min() && whole <= std::numeric_limits<To>::max())) continue;
    }
    To expected = static_cast<To>(value);
    To got = static_cast<To>(out[k]);
    EXPECT_TRUE(got == expected || (got != got && expected != expected))
        << ir::name(type_of<From>()) << " " << +value << " to " << ir::name(type_of<To>()) << " gave " << +got
        << ", not " << +expected;
  }
}

template <class From>
void check_casts() {
  check_cast<From, bool>();
  check_cast<From, int8_t>();
  check_cast<From, int16_t>();
  check_cast<From, int32_t>();
  check_cast<From, int64_t>();
  check_cast<From, uint8_t>();
  check_cast<From, uint16_t>();
  check_cast<From, uint32_t>();
  check_cast<From, uint64_t>();
  check_cast<From, float>();
  check_cast<From, double>();
}

TYPED_TEST(Operations, Cast) { check_casts<TypeParam>(); }

TYPED_TEST(Operations, Select) {
  auto out = this->template run<TypeParam>(this->xs, this->ys, 1, [&](TaskBuilder& b, int, ir::InstId x, ir::InstId y) {
    return b.inst(Op::Select, this->kType, 0, {b.compare(CompareOp::Lt, x, y), x, y});
  });
  for (size_t i = 0; i < this->xs.size(); ++i) {
    auto expected = this->xs[i] < this->ys[i] ? this->xs[i] : this->ys[i];
    EXPECT_TRUE(this->equal(static_cast<TypeParam>(out[i]), static_cast<TypeParam>(expected)));
  }
}

TEST(BitCast, KeepsTheBits) {
  std::vector<float> values{0, -1, 3.5f, std::numeric_limits<float>::quiet_NaN()};
  std::vector<int32_t> out(4);
  TaskBuilder b({0, 4});
  uint32_t x = b.array(values, {4});
  uint32_t result = b.array(out, {4});
  ir::InstId i = b.index();
  b.store(b.element(result, {i}), b.inst(Op::BitCast, Type::I32, 0, {b.load(b.element(x, {i}))}));
  b.run(0, 4);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(out[k], std::bit_cast<int32_t>(values[k]));
}

TYPED_TEST(Operations, Fma) {
  using T = TypeParam;
  if constexpr (std::is_floating_point_v<T>) {
    const T almost = 1 + std::numeric_limits<T>::epsilon();
    for (T& y : this->ys) {
      if (y == 3) y = almost;
    }
    auto out = this->template run<T>(this->xs, this->ys, 2, [&](TaskBuilder& b, int op, ir::InstId x, ir::InstId y) {
      return b.inst(Op::Fma, this->kType, 0, {y, op == 0 ? y : x, b.inst(Op::Unary, this->kType, 0, {y})});
    });
    for (size_t i = 0; i < this->xs.size(); ++i) {
      const T x = this->xs[i], y = this->ys[i];
      ASSERT_TRUE(this->equal(out[i], std::fma(y, y, -y))) << y;
      ASSERT_TRUE(this->equal(out[this->xs.size() + i], std::fma(y, x, -y))) << x << ", " << y;
    }
  }
}

/// The last choice stands for all numbers that are too large, and for negative ones.
TYPED_TEST(Operations, Pick) {
  using T = TypeParam;
  auto numbers = [](TaskBuilder& b) { return b.binary(BinaryOp::Sub, b.index(), b.constant(2)); };
  auto out = this->template run<T>(this->xs, this->ys, 2, [&](TaskBuilder& b, int op, ir::InstId x, ir::InstId y) {
    std::vector<ir::InstId> operands{numbers(b), x, y, x};
    if (op == 1) {
      for (uint64_t k = 0; k < 3; ++k)
        operands[1 + k] = b.cast(this->kType, b.inst(Op::Const, Type::U1, 0, {}, k == 1));
    }
    return b.inst(Op::Pick, this->kType, 0, operands);
  });
  for (size_t i = 0; i < this->xs.size(); ++i) {
    ASSERT_TRUE(this->equal(static_cast<T>(out[i]), static_cast<T>(i == 3 ? this->ys[i] : this->xs[i]))) << i;
    ASSERT_TRUE(this->equal(static_cast<T>(out[this->xs.size() + i]), static_cast<T>(i == 3))) << i;
  }
}

/// The vectorised and approximate forms stay close.
TEST(FastMath, IsClose) {
  const int32_t n = 1003;
  const std::vector<UnaryOp> ops{UnaryOp::Sqrt, UnaryOp::Rsqrt, UnaryOp::Sin,  UnaryOp::Cos,
                                 UnaryOp::Tan,  UnaryOp::Atan,  UnaryOp::Tanh, UnaryOp::Exp,
                                 UnaryOp::Log,  UnaryOp::Floor, UnaryOp::Round};
  std::mt19937 random(1);
  std::vector<float> values(n), out(n * ops.size());
  for (float& value : values) value = std::uniform_real_distribution<float>(0.01f, 20.0f)(random);
  TaskBuilder b({0, n});
  uint32_t x = b.array(values, {n});
  uint32_t result = b.array(out, {static_cast<int32_t>(ops.size()), n});
  ir::InstId i = b.index();
  ir::InstId value = b.load(b.element(x, {i}));
  for (size_t op = 0; op < ops.size(); ++op) {
    b.store(b.element(result, {b.constant(static_cast<int32_t>(op)), i}),
            b.inst(Op::Unary, Type::F32, static_cast<uint32_t>(ops[op]), {value}));
  }
  b.run(0, n, /*fast_math=*/true);
  for (size_t op = 0; op < ops.size(); ++op) {
    for (int32_t k = 0; k < n; ++k) {
      double expected = float_unary<double>(ops[op], values[k]);
      EXPECT_NEAR(out[op * n + k], expected, 4e-6 * std::max(1.0, std::fabs(expected)))
          << "UnaryOp " << static_cast<int>(ops[op]) << " of " << values[k];
    }
  }
}

TEST(FastMath, KeepsNanAndInfinity) {
  std::vector<float> values{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1.0f};
  std::vector<uint8_t> out(6);
  TaskBuilder b({0, 3});
  uint32_t x = b.array(values, {3});
  uint32_t result = b.add_array(Type::U1, {out.data(), {2, 3}}, 2);
  ir::InstId i = b.index();
  ir::InstId value = b.load(b.element(x, {i}));
  b.store(b.element(result, {b.constant(0), i}),
          b.inst(Op::Unary, Type::U1, static_cast<uint32_t>(UnaryOp::IsNan), {value}));
  b.store(b.element(result, {b.constant(1), i}),
          b.inst(Op::Unary, Type::U1, static_cast<uint32_t>(UnaryOp::IsInf), {value}));
  b.run(0, 3, true);
  EXPECT_EQ(out, (std::vector<uint8_t>{1, 0, 0, 0, 1, 0}));
}

}  // namespace
}  // namespace qd::codegen
