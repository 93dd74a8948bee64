// Random kernels with many iterations at the same time, whose order does not matter.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/random_kernels/random_kernel.h"
#include "tests/unit/device/vulkan_values/launched.h"

namespace qd::device::testing {
namespace {

using qd::testing::Launch;
using qd::testing::Outcome;

class RandomKernelsOnVulkan : public OnVulkan<> {};

/// Few kernels: most of the time goes into the driver's compilations.
constexpr uint32_t kKernels = 20;

bool free_of_order(const ir::Kernel& kernel) {
  const auto is_free = [&](ir::BlockId block) { return qd::testing::is_free_of_order(kernel, block); };
  return std::ranges::all_of(kernel.tasks, [&](const ir::Task& task) { return is_free(task.body); }) &&
         std::ranges::all_of(kernel.routines, [&](const ir::Routine& routine) { return is_free(routine.body); });
}

TEST_F(RandomKernelsOnVulkan, DoTheSameInAnyOrder) {
  VulkanRuns& vulkan = VulkanRuns::here();
  uint32_t ran = 0;
  for (uint32_t seed = 1; ran < kKernels * times(); seed += 2) {  // odd: without atomics on floats
    SCOPED_TRACE(seed);
    const ir::Kernel kernel = vulkan.lowered(qd::testing::random_kernel(seed, {.asserts = false}));
    if (!free_of_order(kernel)) continue;
    ++ran;
    const Launch launch = qd::testing::random_launch(kernel, seed);
    const qd::testing::Run expected = qd::testing::interpret(kernel, launch, {.chunk = 1, .step_limit = 2'000'000});
    std::vector<uint64_t> counters;
    const Outcome actual = vulkan.run(kernel, launch, {.counters = &counters});
    ASSERT_EQ(actual.arrays, expected.outcome.arrays) << ir::print(kernel);
    ASSERT_EQ(actual.results, expected.outcome.results) << ir::print(kernel);
    ASSERT_EQ(counters, expected.counters) << ir::print(kernel);
  }
}

}  // namespace
}  // namespace qd::device::testing
