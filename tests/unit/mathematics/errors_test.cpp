// The errors of the functions as kernels call them, against libm with more digits: f32 against its functions of double,
// f64 against those of long double.
//
// QD_ALL_SINGLES=1: all values of f32. QD_DOUBLES=50: so many times as many values of f64 and pairs as usual.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/unit/mathematics/all_functions.h"
#include "tests/unit/mathematics/called_function.h"
#include "tests/unit/mathematics/hard_arguments.h"
#include "tests/unit/mathematics/oracle.h"

namespace qd::mathematics::testing {
namespace {

constexpr size_t kBatch = 1 << 16;

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;

template <class T>
class Measured {
 public:
  explicit Measured(Function function) : function_(function), called_(function, kBatch) {}

  /// Computes a batch of values that `next` gives, of x and y.
  template <class Next>
  void batch(Next&& next) {
    for (size_t i = 0; i < kBatch; i++) std::tie(called_.x[i], called_.y[i]) = next();
    called_.run(/*fast_math=*/true);
    for (size_t i = 0; i < kBatch; i++) {
      const T x = called_.x[i], y = called_.y[i];
      const Wide<T> value = exact(function_, Wide<T>(x), Wide<T>(y));
      // An ulp is at least this part of the value; most values need no more than this test.
      const Wide<T> part = std::abs(value) * std::numeric_limits<T>::epsilon() / 2;
      if (value != 0 && std::isfinite(value) && std::abs(called_.out[i] - value) <= worst_ * part) continue;
      const double error = distance(called_.out[i], value);
      if (error > worst_) {
        worst_ = error;
        at_x_ = x;
        at_y_ = y;
      }
    }
  }

  void expect() const {
    const bool single = std::is_same_v<T, float>;
    std::cout << name(function_) << (single ? " f32: " : " f64: ") << worst_ << " ulp at " << std::hexfloat << at_x_
              << " " << at_y_ << std::defaultfloat << std::endl;
    EXPECT_LE(worst_, stated_error(function_, single)) << name(function_) << "(" << at_x_ << ", " << at_y_ << ")";
  }

 private:
  Function function_;
  CalledFunction<T> called_;
  double worst_ = -1;
  T at_x_ = 0, at_y_ = 0;
};

size_t times(const char* variable) {
  const char* text = std::getenv(variable);
  return text ? static_cast<size_t>(std::atoll(text)) : 1;
}

template <class T>
T any(std::mt19937_64& random) {
  return std::bit_cast<T>(static_cast<std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>(random()));
}

template <class T>
T between(std::mt19937_64& random, double low, double high) {
  return static_cast<T>(std::uniform_real_distribution<double>(low, high)(random));
}

/// All bit patterns, values of usual sizes, and those that are near multiples of pi / 2.
template <class T>
void sample(Function function, size_t batches) {
  constexpr double kHalfPi = 1.57079632679489661923;
  Measured<T> measured(function);
  std::mt19937_64 random(11);
  for (size_t i = 0; i < batches; i++) {
    measured.batch([&] { return std::pair(any<T>(random), any<T>(random)); });
    measured.batch([&] { return std::pair(between<T>(random, -1, 1), between<T>(random, -1, 1)); });
    measured.batch([&] { return std::pair(between<T>(random, -10, 10), between<T>(random, -10, 10)); });
    measured.batch([&] { return std::pair(between<T>(random, -800, 800), between<T>(random, -1000, 1000)); });
    measured.batch([&] {
      return std::pair(static_cast<T>(static_cast<double>(random() >> (random() % 50 + 10)) * kHalfPi),
                       between<T>(random, -20, 20));
    });
    measured.batch([&] { return std::pair(between<T>(random, 0.99, 1.01), between<T>(random, -50000, 50000)); });
    measured.batch([&] {
      return std::pair(static_cast<T>(std::exp(between<double>(random, -80, 80))), between<T>(random, -9, 9));
    });
    measured.batch([&] { return std::pair(between<T>(random, -9, 9), T(std::floor(between<T>(random, -9, 9)))); });
  }
  measured.expect();
}

class Errors : public ::testing::TestWithParam<Function> {};

TEST_P(Errors, OfSingles) {
  if (times("QD_ALL_SINGLES") == 1 && std::getenv("QD_ALL_SINGLES") && arity(GetParam()) == 1) {
    Measured<float> measured(GetParam());
    uint64_t bits = 0;
    while (bits < (uint64_t{1} << 32)) {
      measured.batch([&] { return std::pair(std::bit_cast<float>(static_cast<uint32_t>(bits++)), 0.0F); });
    }
    measured.expect();
    return;
  }
  sample<float>(GetParam(), times("QD_DOUBLES"));
}

TEST_P(Errors, OfDoubles) { sample<double>(GetParam(), times("QD_DOUBLES")); }

/// All pairs of these. The last is the f64 that is closest to a multiple of pi / 2.
template <class T>
void at_edges(Function function) {
  using L = std::numeric_limits<T>;
  const std::vector<T> edges{0,
                             T(-0.0),
                             1,
                             -1,
                             T(0.5),
                             T(-0.5),
                             2,
                             -2,
                             3,
                             -3,
                             T(1.5),
                             T(-1.5),
                             T(0.25),
                             T(0.625),
                             L::max(),
                             L::lowest(),
                             L::min(),
                             -L::min(),
                             L::denorm_min(),
                             -L::denorm_min(),
                             L::infinity(),
                             -L::infinity(),
                             L::quiet_NaN(),
                             L::epsilon(),
                             1 + L::epsilon(),
                             1 - L::epsilon(),
                             T(1e6),
                             T(-1e6),
                             T(16777217),
                             T(9007199254740993.0),
                             static_cast<T>(0x1.6ac5b262ca1ffp849)};
  CalledFunction<T> called(function, edges.size() * edges.size());
  for (size_t i = 0; i < called.x.size(); i++) {
    called.x[i] = edges[i / edges.size()];
    called.y[i] = edges[i % edges.size()];
  }
  called.run();
  for (size_t i = 0; i < called.x.size(); i++) {
    const T x = called.x[i], y = called.y[i];
    EXPECT_LE(distance(called.out[i], exact(function, Wide<T>(x), Wide<T>(y))),
              stated_error(function, std::is_same_v<T, float>))
        << name(function) << "(" << x << ", " << y << ") is " << called.out[i];
  }
}

TEST_P(Errors, AtEdges) {
  at_edges<float>(GetParam());
  at_edges<double>(GetParam());
}

template <class T>
void beside_odd_multiples_of_quarter_pi(size_t batches, double step) {
  Measured<T> measured(Function::Tan);
  size_t i = 0;
  for (size_t batch = 0; batch < batches; batch++) {
    measured.batch([&] { return std::pair(beside_odd_multiple_of_quarter_pi<T>(i++, step), T(0)); });
  }
  measured.expect();
}

/// QD_DOUBLES, as above, is for f64 alone, because four batches are all of f32.
TEST(Tangents, BesideOddMultiplesOfQuarterPi) {
  beside_odd_multiples_of_quarter_pi<float>(4, kStepOfFew<float>);
  const size_t more = 16 * times("QD_DOUBLES");
  beside_odd_multiples_of_quarter_pi<double>(4 * more, kStepOfFew<double> / static_cast<double>(more));
}

/// Whole numbers whose power an f64 holds. A result that is off by one ulp would surprise.
TEST(Powers, OfWholeNumbersAreExact) {
  CalledFunction<double> called(Function::Pow, 4096);
  std::vector<double> powers;
  for (int base = 2; base < 200; base++) {
    double power = base;
    for (int exponent = 1; power < 0x1p53 && powers.size() < called.x.size(); exponent++, power *= base) {
      called.x[powers.size()] = powers.size() % 2 && exponent % 2 == 0 ? -base : base;
      called.y[powers.size()] = exponent;
      powers.push_back(power);
    }
  }
  called.run();
  for (size_t i = 0; i < powers.size(); i++)
    EXPECT_EQ(called.out[i], powers[i]) << called.x[i] << " ** " << called.y[i];
}

INSTANTIATE_TEST_SUITE_P(All, Errors, ::testing::ValuesIn(all_functions()), name_of);

}  // namespace
}  // namespace qd::mathematics::testing
