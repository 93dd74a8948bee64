// Results of code for GPUs, when its threads run on this computer: the same as the interpreter's.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/device/reference/scalar.h"
#include "tests/random_kernels/random_kernel.h"
#include "tests/unit/codegen/gpu/every_kernel.h"
#include "tests/unit/codegen/gpu/host_threads.h"
#include "tests/unit/codegen/operation_kernels.h"

namespace qd::codegen::gpu::testing {
namespace {

using codegen::testing::Operation;
using ir::Type;

/// Threads run in the order of their iterations, so everything comes in the order in which the interpreter does it.
TEST(ValuesOfGpuCode, AreTheInterpretersInRandomKernels) {
  const char* wanted = std::getenv("QD_GPU_KERNELS");
  const uint32_t kernels = wanted ? static_cast<uint32_t>(std::atoi(wanted)) : 20;
  uint32_t failed = 0, printed = 0;
  for (uint32_t seed = 0; seed < kernels; ++seed) {
    SCOPED_TRACE(seed);
    ir::Kernel kernel = qd::testing::random_kernel(seed, {.regions = seed % 2 != 0});
    make_ready(kernel, passes::kGpuPlan);
    const qd::testing::Launch launch = qd::testing::random_launch(kernel, seed);
    qd::testing::Run expected = qd::testing::interpret(kernel, launch, {.chunk = 1, .step_limit = 2'000'000});
    std::string& failure = expected.outcome.failure;
    if (const size_t at = failure.find(" iteration "); at != std::string::npos)
      failure.erase(at, failure.find(" called", at) - at);
    const HostRun actual = run_on_host(kernel, launch, Threads::InTurn, Groups::Many);
    failed += expected.outcome.failed;
    printed += !expected.outcome.prints.empty();
    ASSERT_EQ(actual.outcome.failure, failure) << ir::print(kernel);
    ASSERT_EQ(actual.outcome.prints, expected.outcome.prints) << ir::print(kernel);
    ASSERT_EQ(actual.outcome.arrays, expected.outcome.arrays) << ir::print(kernel);
    ASSERT_EQ(actual.outcome.results, expected.outcome.results) << ir::print(kernel);
    ASSERT_EQ(actual.counters, expected.counters) << ir::print(kernel);
  }
  fmt::print("{} kernels, {} failed at an assert, {} printed\n", kernels, failed, printed);
}

/// Subgroups add up what their threads have counted and gathered.
TEST(ValuesOfGpuCode, AreTheInterpretersInSubgroups) {
  for (uint32_t seed = 1; seed < 40; seed += 2) {  // odd: without atomics on floats
    SCOPED_TRACE(seed);
    ir::Kernel kernel = qd::testing::random_kernel(seed, {.asserts = false});
    make_ready(kernel, passes::kGpuPlan);
    const qd::testing::Launch launch = qd::testing::random_launch(kernel, seed);
    const qd::testing::Run expected = qd::testing::interpret(kernel, launch, {.chunk = 1, .step_limit = 2'000'000});
    const HostRun actual = run_on_host(kernel, launch, Threads::Together, Groups::Many);
    ASSERT_EQ(actual.outcome.prints, expected.outcome.prints) << ir::print(kernel);
    ASSERT_EQ(actual.outcome.arrays, expected.outcome.arrays) << ir::print(kernel);
    ASSERT_EQ(actual.outcome.results, expected.outcome.results) << ir::print(kernel);
    ASSERT_EQ(actual.counters, expected.counters) << ir::print(kernel);
  }
}

class OperatorsOfGpuCode : public ::testing::TestWithParam<Type> {};

TEST_P(OperatorsOfGpuCode, AreTheInterpreters) {
  const Type type = GetParam();
  const std::vector<uint64_t> all = codegen::testing::numbers(type);
  const std::vector<Operation> ops = codegen::testing::operations(type);
  const std::vector<std::string> atomics = codegen::testing::atomics(type);
  const size_t pairs = all.size() * all.size();
  const ir::Kernel kernel = ir::parse(codegen::testing::kernel_text(type, ops, atomics, pairs));
  qd::testing::Launch launch;
  for (size_t a = 0; a < kernel.arrays.size(); ++a) {
    launch.shapes.push_back({static_cast<int32_t>(pairs)});
    auto& words = launch.arrays.emplace_back(pairs);
    for (size_t i = 0; i < pairs && (a < 2 || a >= 2 + ops.size()); ++i)
      words[i] = all[a == 0 ? i / all.size() : i % all.size()];
  }
  const auto expected = qd::testing::interpret(kernel, launch, {}).outcome.arrays;
  for (Groups groups : {Groups::Many, Groups::Two}) {
    const auto actual = run_on_host(kernel, launch, Threads::InTurn, groups).outcome.arrays;
    for (size_t a = 2; a < kernel.arrays.size(); ++a) {
      const Type of = kernel.arrays[a].type;
      const bool is_op = a < 2 + ops.size();
      const std::string text = is_op ? ops[a - 2].text : atomics[(a - 2 - ops.size()) / 2];
      for (size_t i = 0; i < pairs; ++i) {
        ASSERT_TRUE(codegen::testing::alike(of, expected[a][i], actual[a][i], is_op && ops[a - 2].approximate,
                                            !is_op || ops[a - 2].any_zero))
            << ir::name(type) << ": " << text << " of pair " << i << " is "
            << device::reference::to_double(of, expected[a][i]) << " when interpreted, in code "
            << device::reference::to_double(of, actual[a][i]);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Type, OperatorsOfGpuCode, ::testing::ValuesIn(codegen::testing::kTypes),
                         [](const auto& info) { return std::string(ir::name(info.param)); });

}  // namespace
}  // namespace qd::codegen::gpu::testing
