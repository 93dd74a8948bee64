// Random kernels on the device, against the interpreter: memory, results, messages and counters. The order of prints,
// and the assert that fails first, depend on the order of iterations. So groups have one invocation each, and
// the driver one thread, which runs the groups in their order; only drivers of the processor can do that.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/random_kernels/random_kernel.h"
#include "tests/unit/device/vulkan_values/launched.h"

namespace qd::device::testing {
namespace {

using qd::testing::Launch;
using qd::testing::Outcome;

const bool one_thread = setenv("LP_NUM_THREADS", "0", 1) == 0;

/// Few kernels: most of the time goes into the driver's compilations.
constexpr uint32_t kKernels = 40;

class RandomKernelsInOrder : public OnVulkan<> {};

TEST_F(RandomKernelsInOrder, DoWhatTheInterpreterDoes) {
  VulkanRuns& vulkan = VulkanRuns::here();
  if (!one_thread || !vulkan.is_lavapipe()) GTEST_SKIP() << "the device runs iterations in an order of its own";
  const codegen::SpirvTarget one_by_one(
      {.name = "groups of one invocation", .features = vulkan.device().capabilities().features, .max_invocations = 1});
  int failed = 0, prints = 0, counted = 0;
  for (uint32_t seed = 0; seed < kKernels * times(); ++seed) {
    SCOPED_TRACE(seed);
    const ir::Kernel kernel = vulkan.lowered(qd::testing::random_kernel(seed, {.regions = seed % 2 != 0}));
    const Launch launch = qd::testing::random_launch(kernel, seed);
    qd::testing::Run expected = qd::testing::interpret(kernel, launch, {.chunk = 1, .step_limit = 2'000'000});
    expected.outcome.failure.clear();
    std::vector<uint64_t> counters;
    const Outcome actual = vulkan.run(kernel, launch, {.target = &one_by_one, .counters = &counters});
    ASSERT_EQ(actual.failed, expected.outcome.failed) << ir::print(kernel);
    ASSERT_EQ(actual.arrays, expected.outcome.arrays) << ir::print(kernel);
    ASSERT_EQ(actual.results, expected.outcome.results) << ir::print(kernel);
    ASSERT_EQ(actual.prints, expected.outcome.prints) << ir::print(kernel);
    ASSERT_EQ(counters, expected.counters) << ir::print(kernel);
    failed += actual.failed;
    prints += !actual.prints.empty();
    counted += !counters.empty();
  }
  // The test says something only while all of these happen.
  EXPECT_GT(failed, 2);
  EXPECT_GT(prints, 2);
  EXPECT_GT(counted, 20);
}

}  // namespace
}  // namespace qd::device::testing
