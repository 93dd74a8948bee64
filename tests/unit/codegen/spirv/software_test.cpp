// Formulas of functions that devices lack: the processor's results, bit by bit.
#include "runtime/mathematics/software.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "runtime/device/reference/interpreter.h"
#include "runtime/device/reference/scalar.h"
#include "runtime/ir/builder.h"
#include "runtime/ir/half.h"

namespace qd::codegen::spirv {
namespace {

using ir::Type;
using Software = software::Function;

/// A kernel whose parameters and result are those of the routine, which it calls.
class Called {
 public:
  Called(Software function, Type type) : kernel_(software::formula(function, type)) {
    const ir::Routine& routine = kernel_.routines[0];
    ir::Builder build(kernel_);
    ir::Task task;
    task.name = "t";
    task.body = kernel_.add_block();
    build.set_block(task.body);
    std::vector<ir::InstId> arguments;
    for (uint32_t i = 0; i < routine.params.size(); ++i) {
      kernel_.params.push_back({"p", routine.params[i]});
      arguments.push_back(build.inst(ir::Op::Arg, routine.params[i], {}, i));
    }
    const ir::InstId call = build.inst(ir::Op::Call, Type::Void, arguments, 0);
    const ir::InstId result = build.inst(ir::Op::CallResult, routine.results[0], {}, static_cast<uint32_t>(call));
    build.inst(ir::Op::Return, Type::Void, {result});
    kernel_.results = routine.results;
    kernel_.body = ir::BlockId::None;
    kernel_.tasks = {task};
    kernel_.schedule = ir::in_order(1);
    EXPECT_THAT(ir::verify(kernel_), ::testing::IsEmpty());
  }

  uint64_t operator()(std::initializer_list<uint64_t> words) const {
    uint64_t result = 0;
    device::reference::Interpreter(kernel_, {.params = words.begin(), .results = &result}).run();
    return result;
  }

 private:
  ir::Kernel kernel_;
};

uint64_t word(float x) { return std::bit_cast<uint32_t>(x); }
uint64_t word(double x) { return std::bit_cast<uint64_t>(x); }

/// Numbers of all sizes: unusual ones, any bits, and some that are close to each other.
template <class Real>
class Numbers {
 public:
  Real operator()() {
    using Limits = std::numeric_limits<Real>;
    constexpr Real kUnusual[] = {0,
                                 Real(-0.0),
                                 1,
                                 -1,
                                 2,
                                 3,
                                 Real(0.1),
                                 Limits::denorm_min(),
                                 -Limits::denorm_min(),
                                 Limits::min(),
                                 Limits::max(),
                                 Limits::lowest(),
                                 Limits::infinity(),
                                 -Limits::infinity(),
                                 Limits::quiet_NaN()};
    using Bits = std::conditional_t<sizeof(Real) == 4, uint32_t, uint64_t>;
    switch (random_() % 4) {
      case 0: return kUnusual[random_() % std::size(kUnusual)];
      case 1: return std::bit_cast<Real>(static_cast<Bits>(random_()));
      case 2: return std::bit_cast<Real>(static_cast<Bits>(random_() % 1000));  // below the normal numbers
      default:
        return static_cast<Real>(std::ldexp(1 + static_cast<double>(random_() % 64) / 64, int(random_() % 80) - 40)) *
               (random_() % 2 ? 1 : -1);
    }
  }
  uint64_t any() { return random_(); }

 private:
  std::mt19937_64 random_{7};
};

template <class Real>
bool same(uint64_t actual, Real expected) {
  if (!std::isnan(expected)) return actual == word(expected);
  return std::isnan(device::reference::to_double(sizeof(Real) == 4 ? Type::F32 : Type::F64, actual));
}

template <class Real>
void check_fma() {
  const Called fma(Software::Fma, sizeof(Real) == 4 ? Type::F32 : Type::F64);
  Numbers<Real> numbers;
  for (int i = 0; i < 60000; ++i) {
    const Real a = numbers(), b = numbers();
    // Sums that cancel, or nearly so, are the hard ones.
    const Real near = -(a * b) * (1 + static_cast<Real>(static_cast<int>(numbers.any() % 5) - 2) *
                                          std::numeric_limits<Real>::epsilon());
    const Real c = i % 3 == 0 ? near : numbers();
    ASSERT_TRUE(same<Real>(fma({word(a), word(b), word(c)}), std::fma(a, b, c)))
        << fmt::format("{:a} * {:a} + {:a} is {:a}", a, b, c, std::fma(a, b, c));
  }
}
TEST(Software, FusedMultiplyAddOfSingles) { check_fma<float>(); }
TEST(Software, FusedMultiplyAddOfDoubles) { check_fma<double>(); }

/// Off by a part of an ulp that is much less than a half: equal but for ties, which are rare.
template <class Real>
void check_near_fma() {
  const Called fma(Software::NearFma, sizeof(Real) == 4 ? Type::F32 : Type::F64);
  Numbers<Real> numbers;
  int different = 0;
  for (int i = 0; i < 60000; ++i) {
    auto number = [&] {
      return static_cast<Real>(std::ldexp(1 + numbers.any() * 0x1p-64, int(numbers.any() % 200) - 100));
    };
    const Real a = number(), b = number();
    const Real c = i % 2 ? -(a * b) * (1 + static_cast<Real>(numbers.any() % 5) * std::numeric_limits<Real>::epsilon())
                         : -number();
    const uint64_t actual = fma({word(a), word(b), word(c)});
    different += !same<Real>(actual, std::fma(a, b, c));
  }
  EXPECT_LE(different, 2);
  EXPECT_EQ(fma({word(std::numeric_limits<Real>::max()), word(Real(2)), word(Real(1))}),
            word(std::numeric_limits<Real>::infinity()));
  EXPECT_EQ(fma({word(Real(0)), word(Real(2)), word(Real(1))}), word(Real(1)));
}
TEST(Software, NearlyFusedMultiplyAddOfSingles) { check_near_fma<float>(); }
TEST(Software, NearlyFusedMultiplyAddOfDoubles) { check_near_fma<double>(); }

template <class Real>
void check_remainder() {
  const Called remainder(Software::Remainder, sizeof(Real) == 4 ? Type::F32 : Type::F64);
  Numbers<Real> numbers;
  for (int i = 0; i < 6000; ++i) {
    const Real x = numbers(), y = numbers();
    ASSERT_TRUE(same<Real>(remainder({word(x), word(y)}), std::fmod(x, y)))
        << fmt::format("{:a} % {:a} is {:a}", x, y, std::fmod(x, y));
  }
}
TEST(Software, RemainderOfSingles) { check_remainder<float>(); }
TEST(Software, RemainderOfDoubles) { check_remainder<double>(); }

TEST(Software, Power) {
  Numbers<float> numbers;
  for (Type type : {Type::I32, Type::U32, Type::I64, Type::U64}) {
    const Called power(Software::Power, type);
    for (int i = 0; i < 5000; ++i) {
      auto number = [&] {
        const uint64_t any = numbers.any();
        return device::reference::canonical(type, any % 3 ? any % 41 - 20 : any >> 7);
      };
      const uint64_t base = number(), exponent = number();
      ASSERT_EQ(power({base, exponent}), device::reference::binary(ir::BinaryOp::Pow, type, base, exponent))
          << ir::name(type) << " " << base << " " << exponent;
    }
  }
}

TEST(Software, HighProduct) {
  const Called high(Software::HighProduct, Type::U64);
  Numbers<float> numbers;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t a = numbers.any() >> numbers.any() % 64, b = numbers.any() >> numbers.any() % 64;
    ASSERT_EQ(high({a, b}), static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64)) << a << " " << b;
  }
}

TEST(Software, Quotient) {
  const Called quotient(Software::Quotient, Type::U64);
  Numbers<float> numbers;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t a = numbers.any() >> numbers.any() % 64, b = (numbers.any() >> numbers.any() % 64) | 1;
    ASSERT_EQ(quotient({a, b}), a / b) << a << " " << b;
  }
}

TEST(Software, HalfBitsOfAllHalves) {
  const Called from(Software::FromHalf, Type::U32), bits(Software::HalfBits, Type::F32);
  for (uint32_t half = 0; half < 0x10000; ++half) {
    const double value = ir::double_from_half(static_cast<uint16_t>(half));
    const uint64_t single = from({half});
    ASSERT_TRUE(same<float>(single, static_cast<float>(value))) << half;
    if (!std::isnan(value)) {
      ASSERT_EQ(bits({single}), half);
    }
  }
  EXPECT_TRUE(std::isnan(ir::double_from_half(static_cast<uint16_t>(bits({word(NAN)})))));
}

TEST(Software, RoundToHalf) {
  const Called round(Software::RoundToHalf, Type::F32), odd(Software::OddSingle, Type::F64);
  Numbers<float> numbers;
  Numbers<double> wide;
  auto rounded = [](double x) { return static_cast<float>(ir::double_from_half(ir::half_from_double(x))); };
  for (int i = 0; i < 60000; ++i) {
    // Numbers in the range of f16, and ties among them.
    const double x =
        i % 2 ? numbers() : std::ldexp(static_cast<double>(numbers.any() % 16384), int(numbers.any() % 40) - 30);
    ASSERT_TRUE(same<float>(round({word(static_cast<float>(x))}), rounded(static_cast<float>(x)))) << x;
    const double y = i % 2 ? wide() : x * (1 + std::ldexp(1.0, -int(numbers.any() % 60)));
    ASSERT_TRUE(same<float>(round({odd({word(y)})}), rounded(y))) << y;
  }
}

}  // namespace
}  // namespace qd::codegen::spirv
