// Every operator, comparison, cast and atomic operation on every type that it is for, on pairs of unusual numbers: the
// device's results are the interpreter's.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "runtime/device/reference/scalar.h"
#include "tests/unit/codegen/operation_kernels.h"
#include "tests/unit/device/vulkan_values/launched.h"

namespace qd::device::testing {
namespace {

using codegen::testing::alike;
using codegen::testing::Operation;
using ir::Type;
using reference::to_double;

class Operations : public OnVulkan<::testing::TestWithParam<Type>> {};

/// f32 and f16, which is computed in f32: the operations that Vulkan lets a driver round as it likes.
bool is_loose(const std::string& operation) {
  return operation.find("div") != std::string::npos || operation.find("sqrt") != std::string::npos ||
         operation.find("mod") != std::string::npos;
}

TEST_P(Operations, AreTheInterpreters) {
  const Type type = GetParam();
  VulkanRuns& vulkan = VulkanRuns::here();
  const std::vector<uint64_t> all = codegen::testing::numbers(type);
  const std::vector<Operation> ops = codegen::testing::operations(type);
  const std::vector<std::string> atomics = codegen::testing::atomics(type);
  const size_t pairs = all.size() * all.size();
  const ir::Kernel kernel = ir::parse(codegen::testing::kernel_text(type, ops, atomics, pairs));
  if (const auto missing = ir::missing_feature(kernel, vulkan.device().capabilities().features))
    GTEST_SKIP() << "the device lacks " << ir::name(missing->feature);
  qd::testing::Launch launch;
  for (size_t a = 0; a < kernel.arrays.size(); ++a) {
    launch.shapes.push_back({static_cast<int32_t>(pairs)});
    auto& words = launch.arrays.emplace_back(pairs);
    for (size_t i = 0; i < pairs && (a < 2 || a >= 2 + ops.size()); ++i)
      words[i] = all[a == 0 ? i / all.size() : i % all.size()];
  }
  const auto expected = qd::testing::interpret(kernel, launch, {}).outcome.arrays;
  const auto actual = vulkan.run(kernel, launch).arrays;
  for (size_t a = 2; a < kernel.arrays.size(); ++a) {
    const Type of = kernel.arrays[a].type;
    const bool is_op = a < 2 + ops.size();
    const std::string text = is_op ? ops[a - 2].text : atomics[(a - 2 - ops.size()) / 2];
    const bool approximate = (is_op && ops[a - 2].approximate) || (!vulkan.is_lavapipe() && is_loose(text));
    for (size_t i = 0; i < pairs; ++i) {
      ASSERT_TRUE(alike(of, expected[a][i], actual[a][i], approximate, !is_op || ops[a - 2].any_zero))
          << ir::name(type) << ": " << text << " of " << to_double(type, all[i / all.size()]) << ", "
          << to_double(type, all[i % all.size()]) << " is " << to_double(of, expected[a][i])
          << " when interpreted, on the device " << to_double(of, actual[a][i]);
    }
  }
}

/// All iterations change the same few elements, neighbours of each other. Their final values do not depend on the
/// order.
TEST_P(Operations, OfAtomicsOnTheSameElements) {
  const Type type = GetParam();
  VulkanRuns& vulkan = VulkanRuns::here();
  constexpr size_t kPlaces = 5, kIterations = 4000;
  const std::vector<std::string> atomics = codegen::testing::atomics(type);
  std::string text = fmt::format("kernel k\narray 0 numbers {} rank 1 parameter\n", ir::name(type));
  std::string body = fmt::format(
      "%1 = loop_index i32 %0 0\n%2 = element_ptr {0} 0 [%1]\n%3 = load {0} %2\n%4 = const i32 {1}\n%5 = mod i32 %1, "
      "%4\n",
      ir::name(type), kPlaces);
  int arrays = 1, values = 6;
  for (const std::string& atomic : atomics) {
    // The last one to write is another one each time, and products of many numbers leave the range.
    if (atomic.find("exchange") != std::string::npos || atomic.find("mul") != std::string::npos) continue;
    text += fmt::format("array {0} a{0} {1} rank 1 parameter\n", arrays, ir::name(type));
    body += fmt::format("%{0} = element_ptr {1} {2} [%5]\n%{3} = {4} %{0}, %3\n", values, ir::name(type), arrays,
                        values + 1, atomic);
    ++arrays;
    values += 2;
  }
  text += fmt::format("task parallel t loop %0 [0, {}) {{\nprologue {{ }}\nbody {{\n{}}}\n}}\n", kIterations, body);
  const ir::Kernel kernel = ir::parse(text);
  ASSERT_THAT(ir::verify(kernel), ::testing::IsEmpty());
  if (const auto missing = ir::missing_feature(kernel, vulkan.device().capabilities().features))
    GTEST_SKIP() << "the device lacks " << ir::name(missing->feature);
  qd::testing::Launch launch;
  auto& numbers = launch.arrays.emplace_back();
  for (size_t i = 0; i < kIterations; ++i)  // sums of few small whole numbers are exact, also in f16
    numbers.push_back(i % 97 < kPlaces ? reference::from_double(type, ir::is_signed(type) || ir::is_float(type)
                                                                          ? static_cast<double>(i % 7) - 3
                                                                          : static_cast<double>(i % 7))
                                       : 0);
  launch.shapes.push_back({kIterations});
  for (int a = 1; a < arrays; ++a) {
    launch.shapes.push_back({kPlaces});
    launch.arrays.emplace_back(kPlaces, reference::from_double(type, 1));
  }
  EXPECT_EQ(vulkan.run(kernel, launch).arrays, qd::testing::interpret(kernel, launch, {}).outcome.arrays);
}

INSTANTIATE_TEST_SUITE_P(Types, Operations, ::testing::ValuesIn(codegen::testing::kTypes),
                         [](const auto& info) { return std::string(ir::name(info.param)); });

}  // namespace
}  // namespace qd::device::testing
