// Memory, streams and outcomes of the Vulkan device that is here, under the validation layer where that is installed.
#include "runtime/device/vulkan/vulkan_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <numeric>

#include "tests/unit/device/vulkan/loaded.h"

namespace qd::device {
namespace {

using ::testing::HasSubstr;
using testing::Loaded;
using testing::wait;

/// The layer is asked for before the loader is opened; without it, there is no device to test with it.
const bool validation = [] {
  setenv("QD_VULKAN_VALIDATION", "1", 0);
  return true;
}();

class VulkanDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = why_no_vulkan();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_F(VulkanDevice, StreamsWaitForEvents) {
  const std::unique_ptr<Device> device = vulkan_device({});
  const Loaded append(*device, testing::kAppend);
  const std::shared_ptr<Memory> memory = device->allocate(sizeof(int32_t));
  const ArraySlot array{memory->address(), {1}};
  const uint64_t digits[] = {1, 2, 3, 4};
  LaunchOutcome outcomes[4];
  {
    const std::unique_ptr<Stream> second = device->new_stream();
    for (size_t i = 0; i < 4; ++i) {
      Stream& stream = i % 2 == 0 ? device->stream() : *second;
      Stream& other = i % 2 == 0 ? *second : device->stream();
      if (i > 0) stream.wait(other.record());
      stream.run(*append.executable, {.arrays = &array, .params = &digits[i], .outcome = &outcomes[i]});
    }
  }
  for (const LaunchOutcome& outcome : outcomes) {
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.tasks, 1);
  }
  EXPECT_EQ(*static_cast<int32_t*>(memory->map(Memory::Access::Read)), 1234);
}

TEST_F(VulkanDevice, ManyLaunchesRunInTheirOrder) {
  const std::unique_ptr<Device> device = vulkan_device({});
  const Loaded append(*device, testing::kAppend);
  const std::shared_ptr<Memory> memory = device->allocate(sizeof(int32_t));
  const ArraySlot array{memory->address(), {1}};
  std::vector<uint64_t> digits(300);
  std::vector<LaunchOutcome> outcomes(digits.size());
  uint32_t expected = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    digits[i] = i % 10;
    expected = expected * 10 + static_cast<uint32_t>(digits[i]);
    device->stream().run(*append.executable, {.arrays = &array, .params = &digits[i], .outcome = &outcomes[i]});
  }
  wait(device->stream());
  EXPECT_EQ(*static_cast<uint32_t*>(memory->map(Memory::Access::Read)), expected);
}

/// x[0] passes, in each of which x[1] is counted up. The condition is a truth value, or the number of passes left.
std::string repeats(bool truth) {
  const std::string condition = truth ? R"(
    %13 = const i32 0
    %14 = ne u1 %8, %13
    %15 = cast i32 %14)"
                                      : R"(
    %15 = add i32 %8, %5)";
  return R"(kernel repeats
array 0 x i32 rank 1 parameter
temps 1
schedule { do_while temp 0 { run 0 run 1 } run 2 }
task serial less {
  body {
    %4 = const i32 0
    %5 = const i32 0
    %6 = element_ptr i32 0 [%4]
    %7 = load i32 %6
    %9 = const i32 1
    %8 = sub i32 %7, %9
    store %6, %8)" +
         condition + R"(
    %16 = global_temp i32 0
    store %16, %15
  }
}
task parallel more loop %20 [0, 3) {
  prologue {
  }
  body {
    %21 = loop_index i32 %20 0
    %22 = const i32 1
    %23 = add i32 %21, %22
    %24 = element_ptr i32 0 [%23]
    %25 = load i32 %24
    %26 = add i32 %25, %22
    store %24, %26
  }
}
task serial behind {
  body {
    %30 = const i32 4
    %31 = element_ptr i32 0 [%30]
    %32 = load i32 %31
    %33 = const i32 1
    %34 = add i32 %32, %33
    store %31, %34
  }
}
)";
}

/// A pass that was recorded ahead does not take place behind the last one, however many passes there are.
TEST_F(VulkanDevice, PassesEndWithTheirCondition) {
  const std::unique_ptr<Device> device = vulkan_device({});
  for (bool truth : {true, false}) {
    const Loaded code(*device, repeats(truth).c_str(), Loaded::Form::Tasks);
    for (int passes : {1, 2, 3, 4, 7, 8, 62, 63, 64, 65, 127, 128, 129, 300}) {
      const std::shared_ptr<Memory> memory = device->allocate(5 * sizeof(int32_t));
      auto* x = static_cast<int32_t*>(memory->map(Memory::Access::Write));
      x[0] = passes;
      memory->unmap();
      const ArraySlot array{memory->address(), {5}};
      LaunchOutcome outcome;
      device->stream().run(*code.executable, {.arrays = &array, .outcome = &outcome});
      memory->map(Memory::Access::Read);
      EXPECT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.tasks, 2 * passes + 1);
      EXPECT_THAT(std::vector<int32_t>(x, x + 5), ::testing::ElementsAre(0, passes, passes, passes, 1));
    }
  }
}

/// Memory that the host reaches itself, or of which it has a copy.
class VulkanMemory : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) setenv("QD_VULKAN_STAGING", "1", 1);
    const std::string reason = why_no_vulkan();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
  void TearDown() override { unsetenv("QD_VULKAN_STAGING"); }
};

TEST_P(VulkanMemory, HoldsWhatTheHostAndTheDeviceWrite) {
  const std::unique_ptr<Device> device = vulkan_device({});
  const Loaded append(*device, testing::kAppend);
  constexpr size_t kNumbers = 5000;
  const std::shared_ptr<Memory> memory = device->allocate(kNumbers * sizeof(int32_t));
  auto* numbers = static_cast<int32_t*>(memory->map(Memory::Access::Write));
  EXPECT_EQ(std::accumulate(numbers, numbers + kNumbers, 0), 0);
  std::iota(numbers, numbers + kNumbers, 7);
  memory->unmap();
  const ArraySlot array{memory->address(), {kNumbers}};
  const uint64_t digit = 5;
  LaunchOutcome outcome;
  device->stream().run(*append.executable, {.arrays = &array, .params = &digit, .outcome = &outcome});
  EXPECT_EQ(memory->map(Memory::Access::Read), numbers) << "the address is always the same";
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(numbers[0], 75);
  EXPECT_EQ(numbers[kNumbers - 1], 7 + static_cast<int32_t>(kNumbers) - 1);
}

TEST_P(VulkanMemory, PiecesAreApartAndBeginWithZeros) {
  const std::unique_ptr<Device> device = vulkan_device({});
  for (int round = 0; round < 3; ++round) {
    std::vector<std::shared_ptr<Memory>> pieces;
    for (size_t size : {size_t{1}, size_t{1000}, size_t{64}, size_t{20} << 20, size_t{0}, size_t{4096}}) {
      const auto& memory = pieces.emplace_back(device->allocate(size));
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory->address()) % 64, 0u);
      auto* bytes = static_cast<char*>(memory->map(Memory::Access::Write));
      EXPECT_TRUE(std::all_of(bytes, bytes + size, [](char byte) { return byte == 0; }));
      std::memset(bytes, 0x55, size);
      memory->unmap();
    }
    if (round == 1) pieces.erase(pieces.begin() + 1, pieces.begin() + 3);
  }
}

TEST_P(VulkanMemory, TooMuchIsAnError) {
  const std::unique_ptr<Device> device = vulkan_device({});
  EXPECT_THROW((void)device->allocate(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW((void)device->allocate(size_t{1} << 50), std::bad_alloc);
  EXPECT_NE(device->allocate(16), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Staging, VulkanMemory, ::testing::Bool());

TEST_F(VulkanDevice, CodeOfOthersIsAnError) {
  const std::unique_ptr<Device> device = vulkan_device({});
  ir::Kernel kernel = ir::parse(testing::kAppend);
  passes::PassOptions options;
  options.plan = device->target().plan();
  passes::run(kernel, options);
  EXPECT_THROW((void)device->load({.code = "machine code", .symbols = {}, .assembly = {}}, kernel), std::runtime_error);
}

TEST_F(VulkanDevice, NamesThatNoDeviceHas) {
  setenv("QD_VISIBLE_DEVICE", "abacus", 1);
  EXPECT_THAT(why_no_vulkan(), HasSubstr("vulkan not available: no device has 'abacus' in its name; there"));
  EXPECT_THAT(why_no_vulkan(), HasSubstr("(QD_VISIBLE_DEVICE)"));
  EXPECT_EQ(why_no_vulkan("0"), "") << "what a program asks for comes first";
  setenv("QD_VISIBLE_DEVICE", "99", 1);
  EXPECT_THAT(why_no_vulkan(), HasSubstr("there is no device 99; there"));
  unsetenv("QD_VISIBLE_DEVICE");
  EXPECT_THAT(why_no_vulkan("99"), HasSubstr("there is no device 99; there"));
  EXPECT_THROW((void)vulkan_device({.device = "abacus"}), std::runtime_error);
}

}  // namespace
}  // namespace qd::device
