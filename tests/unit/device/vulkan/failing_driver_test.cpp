// A driver that fails: errors say what is wrong, nothing that worked before is lost, and the next device works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/device/vulkan/heap.h"
#include "runtime/device/vulkan/vulkan_device.h"
#include "tests/unit/device/vulkan/driver_functions.h"
#include "tests/unit/device/vulkan/loaded.h"

namespace qd::device {
namespace {

using testing::DriverFunctions;
using ::testing::HasSubstr;
using testing::Loaded;
using ::testing::ThrowsMessage;
using testing::wait;
template <auto Member>
using Failing = testing::FailingFunction<Member>;

class FailingDriver : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = why_no_vulkan();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
  void TearDown() override {
    if (!IsSkipped()) expect_that_a_device_works(*vulkan_device({}));
  }

  /// Appends a digit to the number in the memory.
  static LaunchOutcome append(Device& device, const Loaded& code, Memory& memory, uint64_t digit) {
    const ArraySlot array{memory.address(), {1}};
    LaunchOutcome outcome;
    device.stream().run(*code.executable, {.arrays = &array, .params = &digit, .outcome = &outcome});
    wait(device.stream());
    return outcome;
  }
  static void expect_that_a_device_works(Device& device) {
    const Loaded code(device, testing::kAppend);
    const std::shared_ptr<Memory> memory = device.allocate(sizeof(int32_t));
    EXPECT_EQ(append(device, code, *memory, 4).error, "");
    EXPECT_EQ(*static_cast<int32_t*>(memory->map(Memory::Access::Read)), 4);
  }
};

TEST_F(FailingDriver, WithoutMemorySaysWhatIsTaken) {
  using Allocate = Failing<&VolkDeviceTable::vkAllocateMemory>;
  const DriverFunctions functions(
      {{"vkAllocateMemory", Allocate::replacement("vkAllocateMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY, 1, 1)}});
  const std::unique_ptr<Device> device = vulkan_device({});
  const std::shared_ptr<Memory> first = device->allocate(100);
  EXPECT_THAT([&] { (void)device->allocate(size_t{40} << 20); },
              ThrowsMessage<vulkan::OutOfDeviceMemory>(
                  HasSubstr("the device has no room for 41943040 bytes more: 67108864 of")));
  EXPECT_NE(device->allocate(size_t{40} << 20), nullptr) << "there is room again";
  expect_that_a_device_works(*device);
}

TEST_F(FailingDriver, GivesSoManyPiecesAndNoMore) {
  using Allocate = Failing<&VolkDeviceTable::vkAllocateMemory>;
  const DriverFunctions functions(
      {{"vkAllocateMemory", Allocate::replacement("vkAllocateMemory", VK_ERROR_TOO_MANY_OBJECTS, 0, 1)}});
  const std::unique_ptr<Device> device = vulkan_device({});
  EXPECT_THAT([&] { (void)device->allocate(100); },
              ThrowsMessage<vulkan::OutOfDeviceMemory>(HasSubstr("maxMemoryAllocationCount")));
  expect_that_a_device_works(*device);
}

TEST_F(FailingDriver, HasALargestPiece) {
  const std::unique_ptr<Device> device = vulkan_device({});
  EXPECT_THAT([&] { (void)device->allocate(size_t{1} << 50); },
              ThrowsMessage<vulkan::OutOfDeviceMemory>(HasSubstr("maxMemoryAllocationSize")));
  expect_that_a_device_works(*device);
}

TEST_F(FailingDriver, ThatLosesTheDeviceSaysSo) {
  using Submit = Failing<&VolkDeviceTable::vkQueueSubmit>;
  const DriverFunctions functions(
      {{"vkQueueSubmit", Submit::replacement("vkQueueSubmit", VK_ERROR_DEVICE_LOST, 1, 1)}});
  const std::unique_ptr<Device> device = vulkan_device({});
  const Loaded code(*device, testing::kAppend);
  const std::shared_ptr<Memory> memory = device->allocate(sizeof(int32_t));
  EXPECT_EQ(append(*device, code, *memory, 1).error, "");
  const LaunchOutcome lost = append(*device, code, *memory, 2);
  EXPECT_EQ(lost.status, LaunchOutcome::Status::Lost);
  EXPECT_EQ(lost.error, "vkQueueSubmit failed: VK_ERROR_DEVICE_LOST");
  EXPECT_THAT(append(*device, code, *memory, 3).error, HasSubstr("qd.init starts anew"));
  EXPECT_THAT([&] { (void)device->allocate(10); },
              ThrowsMessage<std::runtime_error>(HasSubstr("the device is lost, and with it what its arrays held: "
                                                          "vkQueueSubmit failed: VK_ERROR_DEVICE_LOST")));
  EXPECT_THAT([&] { const Loaded again(*device, testing::kAppend); },
              ThrowsMessage<std::runtime_error>(HasSubstr("the device is lost")));
}

TEST_F(FailingDriver, ThatLosesTheDeviceWhileItWaits) {
  using Submit = Failing<&VolkDeviceTable::vkQueueSubmit>;
  using Wait = Failing<&VolkDeviceTable::vkWaitSemaphores>;
  // A launch that was over before the device was lost would be one that succeeded. This one is never submitted.
  const DriverFunctions functions(
      {{"vkQueueSubmit", Submit::replacement("vkQueueSubmit", VK_SUCCESS)},
       {"vkWaitSemaphores", Wait::replacement("vkWaitSemaphores", VK_ERROR_DEVICE_LOST, 0, 1)}});
  const std::unique_ptr<Device> device = vulkan_device({});
  const Loaded code(*device, testing::kAppend);
  const std::shared_ptr<Memory> memory = device->allocate(sizeof(int32_t));
  EXPECT_EQ(append(*device, code, *memory, 1).error, "vkWaitSemaphores failed: VK_ERROR_DEVICE_LOST");
}

/// The device is asked to stop what it runs, does not, and is lost.
TEST_F(FailingDriver, ThatNeverEndsIsGivenUp) {
  using Submit = Failing<&VolkDeviceTable::vkQueueSubmit>;
  using Wait = Failing<&VolkDeviceTable::vkWaitSemaphores>;
  // Work that is not submitted never ends.
  const DriverFunctions functions({{"vkQueueSubmit", Submit::replacement("vkQueueSubmit", VK_SUCCESS)},
                                   {"vkWaitSemaphores", Wait::replacement("vkWaitSemaphores", VK_TIMEOUT)}});
  const std::unique_ptr<Device> device = vulkan_device({.timeout = 0.1});
  const Loaded code(*device, testing::kAppend);
  const std::shared_ptr<Memory> memory = device->allocate(sizeof(int32_t));
  const LaunchOutcome outcome = append(*device, code, *memory, 1);
  EXPECT_EQ(outcome.status, LaunchOutcome::Status::Lost);
  EXPECT_EQ(outcome.error, "the device got no further for 0.1 s (device_timeout)");
  EXPECT_THAT(append(*device, code, *memory, 1).error,
              HasSubstr("the device is lost, and with it what its arrays held: kernel append did not end"));
}

TEST_F(FailingDriver, ThatCannotCompileNamesTheKernel) {
  using Make = Failing<&VolkDeviceTable::vkCreateComputePipelines>;
  const DriverFunctions functions(
      {{"vkCreateComputePipelines", Make::replacement("vkCreateComputePipelines", VK_ERROR_INVALID_SHADER_NV, 0, 1)}});
  const std::unique_ptr<Device> device = vulkan_device({});
  EXPECT_THAT(
      [&] { const Loaded code(*device, testing::kAppend); },
      ThrowsMessage<std::runtime_error>("kernel append: vkCreateComputePipelines failed: VK_ERROR_INVALID_SHADER_NV"));
  expect_that_a_device_works(*device);
}

/// Puts a function in the place of one of volk's pointers.
template <class Function>
class Replaced {
 public:
  Replaced(Function& pointer, Function by) : pointer_(pointer), before_(pointer) { pointer_ = by; }
  ~Replaced() { pointer_ = before_; }

 private:
  Function& pointer_;
  const Function before_;
};

TEST_F(FailingDriver, WithoutADeviceSaysSo) {
  const Replaced none(
      vkEnumeratePhysicalDevices,
      +[](VkInstance, uint32_t* count, VkPhysicalDevice*) -> VkResult { return *count = 0, VK_SUCCESS; });
  EXPECT_EQ(why_no_vulkan(), "vulkan not available: there is no device");
  EXPECT_TRUE(vulkan_devices().empty());
}

TEST_F(FailingDriver, ThatDoesNotOpenTheDevice) {
  const Replaced refused(
      vkCreateDevice,
      +[](VkPhysicalDevice, const VkDeviceCreateInfo*, const VkAllocationCallbacks*, VkDevice*) -> VkResult {
        return VK_ERROR_INITIALIZATION_FAILED;
      });
  EXPECT_THAT([] { (void)vulkan_device({}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("vkCreateDevice failed: VK_ERROR_INITIALIZATION_FAILED")));
}

TEST_F(FailingDriver, OfAnOldVersionIsListedWithTheReason) {
  const Replaced old(
      vkGetPhysicalDeviceProperties, +[](VkPhysicalDevice, VkPhysicalDeviceProperties* properties) {
        *properties = {};
        properties->apiVersion = VK_API_VERSION_1_1;
        std::strcpy(properties->deviceName, "Old one");
      });
  EXPECT_EQ(why_no_vulkan(), "vulkan not available: Old one has a driver that is older than Vulkan 1.2");
  const std::vector<DeviceInfo> devices = vulkan_devices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices[0].name, "Old one");
  EXPECT_EQ(devices[0].api, "1.1.0");
  EXPECT_THAT(devices[0].lacks, HasSubstr("older than Vulkan 1.2"));
}

}  // namespace
}  // namespace qd::device
