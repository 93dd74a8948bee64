// The errors of the mathematical functions on the device, against libm with more digits. The bounds are those of the
// CPU's code, since the formulas are the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "runtime/device/reference/scalar.h"
#include "runtime/ir/half.h"
#include "tests/unit/device/vulkan_values/launched.h"
#include "tests/unit/mathematics/all_functions.h"
#include "tests/unit/mathematics/hard_arguments.h"
#include "tests/unit/mathematics/oracle.h"

namespace qd::device::testing {
namespace {

using ir::Type;
using mathematics::Function;

constexpr size_t kBatch = 1 << 15;

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
template <class T>
using Bits = std::conditional_t<std::is_same_v<T, float>, uint32_t, uint64_t>;

/// array 2 [i] = function(array 0 [i], array 1 [i]), as the front end has it.
ir::Kernel kernel_of(Function function, Type type, size_t length) {
  std::string call = fmt::format("{} {} %3", mathematics::name(function), ir::name(type));
  std::string two;
  if (function == Function::Atan2 || function == Function::Pow) call += ", %5";
  if (function == Function::Exp2) {
    two = fmt::format("%8 = const {} 2\n", ir::name(type));
    call = fmt::format("pow {} %8, %3", ir::name(type));
  }
  std::string text = "kernel k\n";
  for (const char* row : {"0 x", "1 y", "2 out"})
    text += fmt::format("array {} {} rank 1 parameter\n", row, ir::name(type));
  return ir::parse(text + fmt::format("task parallel t loop %0 [0, {1}) {{\nprologue {{ }}\nbody {{\n"
                                      "%1 = loop_index i32 %0 0\n"
                                      "%2 = element_ptr {0} 0 [%1]\n%3 = load {0} %2\n"
                                      "%4 = element_ptr {0} 1 [%1]\n%5 = load {0} %4\n{2}"
                                      "%6 = {3}\n"
                                      "%7 = element_ptr {0} 2 [%1]\nstore %7, %6\n}}\n}}\n",
                                      ir::name(type), length, two, call));
}

class FunctionsOnVulkan : public OnVulkan<::testing::TestWithParam<Function>> {
 protected:
  using Words = std::vector<uint64_t>;
  Words results(Type type, const Words& x, const Words& y) {
    const ir::Kernel kernel = kernel_of(GetParam(), type, x.size());
    const auto length = static_cast<int32_t>(x.size());
    return VulkanRuns::here().run(kernel, {{}, {{length}, {length}, {length}}, {x, y, Words(x.size())}}).arrays[2];
  }

  template <class T>
  void check(const std::vector<T>& x, const std::vector<T>& y) {
    auto words = [](const std::vector<T>& numbers) {
      Words out;
      for (T number : numbers) out.push_back(std::bit_cast<Bits<T>>(number));
      return out;
    };
    constexpr bool kSingle = std::is_same_v<T, float>;
    const Words out = results(kSingle ? Type::F32 : Type::F64, words(x), words(y));
    double worst = 0;
    size_t at = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const T got = std::bit_cast<T>(static_cast<Bits<T>>(out[i]));
      const double error =
          mathematics::testing::distance(got, mathematics::testing::exact(GetParam(), Wide<T>(x[i]), Wide<T>(y[i])));
      if (error > worst) worst = error, at = i;
    }
    fmt::print("{} f{}: {:.3f} ulp at {:a} {:a}\n", mathematics::name(GetParam()), 8 * sizeof(T), worst, x[at], y[at]);
    EXPECT_LE(worst, mathematics::testing::stated_error(GetParam(), kSingle)) << x[at] << " " << y[at];
  }

  /// All bit patterns, values of usual sizes, whole multiples of pi / 2, and hard arguments.
  template <class T>
  void sample() {
    std::mt19937_64 random(11);
    auto between = [&](double low, double high) {
      return static_cast<T>(std::uniform_real_distribution<double>(low, high)(random));
    };
    auto any = [&] { return std::bit_cast<T>(static_cast<Bits<T>>(random())); };
    std::vector<T> x, y;
    for (size_t i = 0; i < kBatch * times(); ++i) {
      switch (i % 6) {
        case 0: x.push_back(any()), y.push_back(any()); break;
        case 1: x.push_back(between(-1, 1)), y.push_back(between(-1, 1)); break;
        case 2: x.push_back(between(-10, 10)), y.push_back(between(-10, 10)); break;
        case 3: x.push_back(between(-800, 800)), y.push_back(between(-1000, 1000)); break;
        case 4: x.push_back(between(0.99, 1.01)), y.push_back(between(-50000, 50000)); break;
        default:
          x.push_back(static_cast<T>(static_cast<double>(random() >> (random() % 50 + 10)) * 1.57079632679489661923));
          y.push_back(std::floor(between(-9, 9)));
      }
    }
    using L = std::numeric_limits<T>;
    const T edges[] = {0,
                       T(-0.0),
                       1,
                       -1,
                       T(0.5),
                       T(-0.5),
                       T(0.625),
                       2,
                       -2,
                       3,
                       L::max(),
                       L::lowest(),
                       L::min(),
                       -L::min(),
                       L::denorm_min(),
                       -L::denorm_min(),
                       T(1e6),
                       L::epsilon(),
                       1 + L::epsilon(),
                       L::infinity(),
                       -L::infinity(),
                       L::quiet_NaN()};
    for (T a : edges) {
      for (T b : edges) x.push_back(a), y.push_back(b);
    }
    if (GetParam() == Function::Tan) {
      using mathematics::testing::beside_odd_multiple_of_quarter_pi, mathematics::testing::kStepOfFew;
      for (size_t i = 0; i < 4 << 16; ++i) x.push_back(beside_odd_multiple_of_quarter_pi<T>(i, kStepOfFew<T>));
      y.resize(x.size());
    }
    check(x, y);
  }
};

TEST_P(FunctionsOnVulkan, OfSingles) { sample<float>(); }

TEST_P(FunctionsOnVulkan, OfDoubles) {
  if (!(VulkanRuns::here().device().capabilities().features & ir::features(ir::Feature::F64)))
    GTEST_SKIP() << "the device lacks " << ir::name(ir::Feature::F64);
  sample<double>();
}

/// Functions of f16 are computed in f32, and rounded.
TEST_P(FunctionsOnVulkan, OfAllHalves) {
  if (!(VulkanRuns::here().device().capabilities().features & ir::features(ir::Feature::F16)))
    GTEST_SKIP() << "the device lacks " << ir::name(ir::Feature::F16);
  Words x, y;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) x.push_back(bits), y.push_back(bits * 40503u & 0xffff);
  const Words out = results(Type::F16, x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    auto number = [](uint64_t bits) { return ir::double_from_half(static_cast<uint16_t>(bits)); };
    const double exact = mathematics::testing::exact(GetParam(), number(x[i]), number(y[i])), got = number(out[i]);
    const double rounded = number(ir::half_from_double(exact));
    // Either neighbour in f16 is right for an exact value nearly in the middle between the two.
    const double unit =
        std::ldexp(1.0, std::max(-24, exact == 0 || !std::isfinite(exact) ? -24 : std::ilogb(exact) - 10));
    const bool near = std::isfinite(got) && std::abs(got - exact) <= 0.501 * unit;
    const bool same = got == rounded && std::signbit(got) == std::signbit(rounded);
    ASSERT_TRUE(same || near || (std::isnan(got) && std::isnan(exact)))
        << mathematics::name(GetParam()) << "(" << number(x[i]) << ", " << number(y[i]) << ") is " << got << ", not "
        << exact;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FunctionsOnVulkan, ::testing::ValuesIn(mathematics::testing::all_functions()),
                         mathematics::testing::name_of);

}  // namespace
}  // namespace qd::device::testing
