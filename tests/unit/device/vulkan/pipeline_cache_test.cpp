// Compiled pipelines are kept under the code, the device and the driver; bytes of others never reach the driver.
// The driver is Vulkan's, but its cache is the test's: Mesa's lavapipe has none.
#include "runtime/device/vulkan/pipeline_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <mutex>

#include "runtime/device/vulkan/vulkan_device.h"
#include "tests/unit/device/vulkan/driver_functions.h"
#include "tests/unit/device/vulkan/loaded.h"

namespace qd::device {
namespace {

using testing::DriverFunctions;
using testing::Loaded;
using testing::pointer;

/// The driver's cache: the bytes that it was made with, and the bytes that it gives as its contents.
struct Driver {
  std::vector<std::string> given;
  std::string holds;
  VkResult create = VK_SUCCESS;
  VkResult get = VK_SUCCESS;
} driver;

VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice, const VkPipelineCacheCreateInfo* info, const VkAllocationCallbacks*,
                                      VkPipelineCache* cache) {
  driver.given.emplace_back(static_cast<const char*>(info->pInitialData), info->initialDataSize);
  if (driver.create != VK_SUCCESS) return driver.create;
  *cache = reinterpret_cast<VkPipelineCache>(uintptr_t{8});
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL destroy(VkDevice, VkPipelineCache, const VkAllocationCallbacks*) {}
VKAPI_ATTR VkResult VKAPI_CALL get_data(VkDevice, VkPipelineCache, size_t* size, void* data) {
  if (driver.get != VK_SUCCESS) return driver.get;
  if (data) std::memcpy(data, driver.holds.data(), *size);
  *size = driver.holds.size();
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL make_pipelines(VkDevice device, VkPipelineCache, uint32_t count,
                                              const VkComputePipelineCreateInfo* infos,
                                              const VkAllocationCallbacks* callbacks, VkPipeline* pipelines) {
  const auto original = reinterpret_cast<PFN_vkCreateComputePipelines>(
      vkGetInstanceProcAddr(vulkan::instance(), "vkCreateComputePipelines"));
  return original(device, VK_NULL_HANDLE, count, infos, callbacks, pipelines);
}

std::string header_of(const VkPhysicalDeviceProperties& device) {
  VkPipelineCacheHeaderVersionOne header{
      32, VK_PIPELINE_CACHE_HEADER_VERSION_ONE, device.vendorID, device.deviceID, {}};
  std::memcpy(header.pipelineCacheUUID, device.pipelineCacheUUID, VK_UUID_SIZE);
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

class PipelineCache : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = why_no_vulkan();
    if (!reason.empty()) GTEST_SKIP() << reason;
    driver = {};
    vulkan::FeatureChain features;
    header = header_of(vulkan::choose_device({}, features).properties);
    driver.holds = header + "compiled";
  }

  /// Loads a kernel as a process of its own would do it.
  void load(const char* text = testing::kAppend) {
    const DriverFunctions functions({{"vkCreatePipelineCache", pointer(&create)},
                                     {"vkDestroyPipelineCache", pointer(&destroy)},
                                     {"vkGetPipelineCacheData", pointer(&get_data)},
                                     {"vkCreateComputePipelines", pointer(&make_pipelines)}});
    const std::unique_ptr<Device> device =
        vulkan_device({.kept = {
                           .find = [&](std::string_view key) -> std::optional<std::string> {
                             const auto found = kept.find(std::string(key));
                             if (found == kept.end()) return std::nullopt;
                             return found->second;
                           },
                           .put =
                               [&](std::string_view key, std::string_view bytes) {
                                 kept[std::string(key)] = bytes;
                                 ++puts;
                               },
                       }});
    const Loaded loaded(*device, text);
    const std::shared_ptr<Memory> memory = device->allocate(sizeof(int32_t));
    const ArraySlot array{memory->address(), {1}};
    const uint64_t digit = 7;
    LaunchOutcome outcome;
    device->stream().run(*loaded.executable, {.arrays = &array, .params = &digit, .outcome = &outcome});
    EXPECT_EQ(*static_cast<int32_t*>(memory->map(Memory::Access::Read)), 7) << "the kernel runs, whatever was kept";
  }

  std::string header;
  std::map<std::string, std::string> kept;
  int puts = 0;
};

TEST_F(PipelineCache, GivesTheDriverWhatItHadCompiled) {
  load();
  EXPECT_EQ(driver.given, std::vector<std::string>{""});
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept.begin()->second, driver.holds);
  load();
  EXPECT_EQ(driver.given.back(), driver.holds);
  EXPECT_EQ(puts, 1) << "nothing was new";
  driver.holds += " anew";
  load();
  EXPECT_EQ(kept.begin()->second, driver.holds);
}

TEST_F(PipelineCache, KeepsTheCodeOfEachKernelApart) {
  load();
  std::string other = testing::kAppend;
  other.replace(other.find("const i32 10"), 12, "const i32 20");
  load(other.c_str());
  EXPECT_EQ(kept.size(), 2u);
}

TEST_F(PipelineCache, ReplacesWhatIsNoneOfTheDriver) {
  load();
  const std::string good = kept.begin()->second;
  std::vector<std::string> bad{"", "x", header, good.substr(0, 31), std::string(1000, '\0')};
  for (size_t byte = 0; byte < 32; ++byte) {
    bad.push_back(good);
    bad.back()[byte] = static_cast<char>(bad.back()[byte] ^ 0x40);
  }
  for (const std::string& bytes : bad) {
    kept.begin()->second = bytes;
    driver.given.clear();
    load();
    EXPECT_EQ(driver.given, std::vector<std::string>{""}) << "they must not reach the driver";
    EXPECT_EQ(kept.begin()->second, good);
  }
}

TEST_F(PipelineCache, ADriverThatRefusesItBeginsAnew) {
  load();
  driver.given.clear();
  driver.create = VK_ERROR_OUT_OF_HOST_MEMORY;
  load();
  EXPECT_EQ(driver.given, (std::vector<std::string>{driver.holds, ""}));
}

TEST_F(PipelineCache, ADriverWithoutAnythingKeepsNothing) {
  driver.holds = header;
  load();
  driver.get = VK_ERROR_OUT_OF_HOST_MEMORY;
  driver.holds = header + "compiled";
  load();
  EXPECT_TRUE(kept.empty());
}

TEST(PipelineCacheHeader, IsThatOfTheDevice) {
  VkPhysicalDeviceProperties device{};
  device.vendorID = 1, device.deviceID = 2, device.pipelineCacheUUID[5] = 3;
  EXPECT_TRUE(vulkan::is_cache_of(device, header_of(device) + "x"));
  VkPhysicalDeviceProperties other = device;
  other.pipelineCacheUUID[5] = 4;
  EXPECT_FALSE(vulkan::is_cache_of(other, header_of(device) + "x"));
}

}  // namespace
}  // namespace qd::device
