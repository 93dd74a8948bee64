// The interpreter's arithmetic is that of compiled code: every operator on every type that it is for, on pairs of
// unusual numbers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "runtime/codegen/cpu/compile.h"
#include "runtime/codegen/cpu/lane_choice.h"
#include "runtime/device/cpu/loader.h"
#include "runtime/device/reference/interpreter.h"
#include "runtime/device/reference/scalar.h"
#include "tests/unit/codegen/operation_kernels.h"

namespace qd::codegen {
namespace {

using device::reference::to_double;
using ir::Type;
using ::testing::IsEmpty;

using testing::alike;
using testing::atomics;
using testing::kernel_text;
using testing::kTypes;
using testing::numbers;
using testing::Operation;
using testing::operations;

struct Memory {
  std::vector<std::vector<char>> bytes;
  std::vector<ArraySlot> slots;
};

/// `vectorize`: whether iterations of the compiled kernel are lanes of vectors.
void check(Type type, ir::Vectorize vectorize) {
  const std::vector<uint64_t> all = numbers(type);
  const std::vector<Operation> ops = operations(type);
  const std::vector<std::string> rmw = atomics(type);
  const size_t pairs = all.size() * all.size();
  ir::Kernel kernel = ir::parse(kernel_text(type, ops, rmw, pairs));
  for (ir::Task& task : kernel.tasks) {
    task.vectorize = vectorize;
    ASSERT_EQ(obstacle_of_lanes(kernel, task, passes::Divergence(kernel, task)).what, "");
  }
  ASSERT_THAT(ir::verify(kernel), IsEmpty());
  auto memory = [&] {
    Memory made;
    for (size_t a = 0; a < kernel.arrays.size(); ++a) {
      const auto size = static_cast<size_t>(ir::size_in_bytes(kernel.arrays[a].type));
      auto& bytes = made.bytes.emplace_back(pairs * size);
      for (size_t i = 0; i < pairs && (a < 2 || a >= 2 + ops.size()); ++i)
        std::memcpy(&bytes[i * size], &all[a == 0 ? i / all.size() : i % all.size()], size);
    }
    for (auto& bytes : made.bytes) made.slots.push_back({bytes.data(), {static_cast<int32_t>(pairs)}});
    return made;
  };
  Memory interpreted = memory(), compiled = memory();
  device::reference::Interpreter(kernel, {.arrays = interpreted.slots.data()}).run();
  const Binary object = compile(kernel, {.fast_math = false});
  const auto loaded = device::load(object.code, object.symbols);
  LaunchContext context{};
  context.arrays = compiled.slots.data();
  ThreadState thread{};
  loaded->functions()[0](&context, &thread, 0, static_cast<int64_t>(pairs));
  for (size_t a = 2; a < kernel.arrays.size(); ++a) {
    const Type of = kernel.arrays[a].type;
    const auto size = static_cast<size_t>(ir::size_in_bytes(of));
    const bool is_op = a < 2 + ops.size();
    const std::string text = is_op ? ops[a - 2].text : rmw[(a - 2 - ops.size()) / 2];
    for (size_t i = 0; i < pairs; ++i) {
      uint64_t expected = 0, actual = 0;
      std::memcpy(&expected, &compiled.bytes[a][i * size], size);
      std::memcpy(&actual, &interpreted.bytes[a][i * size], size);
      EXPECT_TRUE(alike(of, expected, actual, is_op && ops[a - 2].approximate, !is_op || ops[a - 2].any_zero))
          << ir::name(type) << ": " << text << " of " << to_double(type, all[i / all.size()]) << ", "
          << to_double(type, all[i % all.size()]) << " is " << to_double(of, expected) << " when compiled, "
          << to_double(of, actual) << " when interpreted";
      if (::testing::Test::HasFailure()) break;
    }
  }
}

class Reference : public ::testing::TestWithParam<Type> {};
TEST_P(Reference, ComputesWhatCompiledCodeComputes) { check(GetParam(), ir::Vectorize::No); }
TEST_P(Reference, ComputesWhatLanesCompute) { check(GetParam(), ir::Vectorize::Yes); }
INSTANTIATE_TEST_SUITE_P(Types, Reference, ::testing::ValuesIn(kTypes),
                         [](const auto& info) { return std::string(ir::name(info.param)); });

}  // namespace
}  // namespace qd::codegen
