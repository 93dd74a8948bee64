// The formulas as kernel IR: they are valid, and mean the same to the interpreter, to vectors, to scalar code and with
// fast_math.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "runtime/device/reference/interpreter.h"
#include "runtime/ir/builder.h"
#include "tests/unit/mathematics/all_functions.h"
#include "tests/unit/mathematics/called_function.h"

namespace qd::mathematics::testing {
namespace {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

/// Values of all sizes, and those at which something changes.
template <class T>
std::vector<T> values(size_t count) {
  using L = std::numeric_limits<T>;
  std::vector<T> out{0,
                     T(-0.0),
                     1,
                     -1,
                     T(0.5),
                     T(-0.5),
                     T(0.625),
                     2,
                     -2,
                     3,
                     T(1e5),
                     T(1.5e5),
                     T(0x1.f0b976p+16),
                     T(1e10),
                     T(1e30),
                     L::max(),
                     L::lowest(),
                     L::min(),
                     -L::min(),
                     L::denorm_min(),
                     -L::denorm_min(),
                     L::infinity(),
                     -L::infinity(),
                     L::quiet_NaN(),
                     T(88.7),
                     T(-103),
                     T(709.7),
                     T(-745)};
  std::mt19937_64 random(7);
  while (out.size() < count) {
    switch (out.size() % 3) {
      case 0: out.push_back(std::bit_cast<T>(static_cast<Bits<T>>(random()))); break;
      case 1: out.push_back(std::uniform_real_distribution<T>(-2, 2)(random)); break;
      case 2: out.push_back(std::uniform_real_distribution<T>(-100, 100)(random)); break;
    }
  }
  return out;
}

/// The formula as a kernel of its own: it calls the routine with its parameters.
template <class T>
T interpreted(Function function, T x, T y, bool alone = false) {
  constexpr ir::Type kType = codegen::testing::type_of<T>();
  ir::Kernel kernel = formula(function, kType, alone);
  kernel.results = {kType};
  ir::Builder build(kernel, kernel.body);
  std::vector<ir::InstId> arguments;
  for (uint32_t i = 0; i < arity(function); i++) {
    kernel.params.push_back({"x", kType});
    arguments.push_back(build.inst(ir::Op::Arg, kType, {}, i));
  }
  const ir::InstId called = build.inst(ir::Op::Call, ir::Type::Void, arguments);
  const ir::InstId result = build.inst(ir::Op::CallResult, kType, {}, static_cast<uint32_t>(called));
  build.inst(ir::Op::Return, ir::Type::Void, {result});
  EXPECT_TRUE(ir::verify(kernel).empty());
  const uint64_t params[] = {std::bit_cast<Bits<T>>(x), std::bit_cast<Bits<T>>(y)};
  uint64_t results[1] = {};
  device::reference::Interpreter(kernel, {nullptr, params, results}).run();
  return std::bit_cast<T>(static_cast<Bits<T>>(results[0]));
}

template <class T>
bool same(T a, T b) {
  return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b) || (std::isnan(a) && std::isnan(b));
}

template <class T>
void expect_same(Function function) {
  const std::vector<T> given = values<T>(400);
  CalledFunction<T> strict(function, given.size()), alone(function, given.size()), fast(function, given.size());
  CalledFunction<T> one_by_one(function, given.size(), Loads::Volatile);
  for (CalledFunction<T>* f : {&strict, &alone, &fast, &one_by_one}) {
    f->x = given;
    f->y.assign(given.rbegin(), given.rend());
    std::rotate(f->y.begin(), f->y.begin() + 50, f->y.end());
  }
  strict.run();
  fast.run(/*fast_math=*/true);
  one_by_one.run();
  for (size_t i = 0; i < given.size(); i++) {
    const T x = strict.x[i], y = strict.y[i];
    alone.run_one(i);
    const T expected = interpreted(function, x, y);
    EXPECT_TRUE(same(strict.out[i], expected))
        << name(function) << "(" << x << ", " << y << "): " << strict.out[i] << ", interpreted " << expected;
    EXPECT_TRUE(same(alone.out[i], expected)) << name(function) << "(" << x << ", " << y << ") alone";
    EXPECT_TRUE(same(interpreted(function, x, y, /*alone=*/true), expected))
        << name(function) << "(" << x << ", " << y << ") with branches";
    EXPECT_TRUE(same(one_by_one.out[i], expected)) << name(function) << "(" << x << ", " << y << ") one by one";
    EXPECT_TRUE(same(fast.out[i], expected)) << name(function) << "(" << x << ", " << y << ") with fast_math";
  }
}

class Formulas : public ::testing::TestWithParam<Function> {};

TEST_P(Formulas, AreValid) {
  for (ir::Type type : {ir::Type::F32, ir::Type::F64}) {
    for (bool alone : {false, true}) {
      const ir::Kernel kernel = formula(GetParam(), type, alone);
      EXPECT_TRUE(ir::verify(kernel).empty());
      EXPECT_EQ(ir::print(ir::parse(ir::print(kernel))), ir::print(kernel));
    }
  }
}

TEST_P(Formulas, MeanTheSameInEachKindOfCode) {
  expect_same<float>(GetParam());
  expect_same<double>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, Formulas, ::testing::ValuesIn(all_functions()), name_of);

}  // namespace
}  // namespace qd::mathematics::testing
