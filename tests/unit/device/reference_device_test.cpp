// Streams of the reference device: launches in the order that events ask for, whatever the seed.
#include "runtime/device/reference/reference_device.h"

#include <gtest/gtest.h>

#include "tests/unit/device/append_kernel.h"

namespace qd::device {
namespace {

/// The digits that launches on two streams append: 1, 3 on the first, 2, 4 on the second. `waits`: each for the one
/// before.
int32_t appended(uint64_t seed, bool waits) {
  const std::unique_ptr<Device> device = reference_device({.random_seed = seed});
  const std::unique_ptr<Executable> executable = testing::append_kernel(*device);
  const std::shared_ptr<Memory> memory = device->allocate(sizeof(int32_t));
  const ArraySlot array{memory->address(), {1}};
  const uint64_t digits[] = {1, 2, 3, 4};
  LaunchOutcome outcomes[4];
  {
    const std::unique_ptr<Stream> second = device->new_stream();
    for (size_t i = 0; i < 4; ++i) {
      Stream& stream = i % 2 == 0 ? device->stream() : *second;
      Stream& other = i % 2 == 0 ? *second : device->stream();
      if (waits && i > 0) stream.wait(other.record());
      stream.run(*executable, {.arrays = &array, .params = &digits[i], .outcome = &outcomes[i]});
    }
  }
  for (const LaunchOutcome& outcome : outcomes) EXPECT_EQ(outcome.tasks, 1);
  return *static_cast<int32_t*>(memory->map(Memory::Access::Read));
}

TEST(ReferenceDevice, StreamsWaitForEvents) {
  for (uint64_t seed = 0; seed < 40; ++seed) ASSERT_EQ(appended(seed, true), 1234) << seed;
}

TEST(ReferenceDevice, StreamsDoNotWaitUnasked) {
  bool other = false;
  for (uint64_t seed = 0; seed < 40; ++seed) other |= appended(seed, false) != 1234;
  EXPECT_TRUE(other);
}

}  // namespace
}  // namespace qd::device
