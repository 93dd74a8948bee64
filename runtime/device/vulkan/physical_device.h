// The choice of a device among those of this computer, and its properties.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/codegen/spirv/spirv_target.h"
#include "runtime/device/device_info.h"
#include "runtime/device/vulkan/volk.h"

namespace qd::device::vulkan {

/// The features of a device in the form that Vulkan asks for: the structs point to each other.
struct FeatureChain {
  FeatureChain();
  FeatureChain(const FeatureChain&) = delete;
  FeatureChain& operator=(const FeatureChain&) = delete;
  /// Puts those structs at the end that belong to extensions.
  void append(void* structure);

  VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT float_atomics{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT};
  VkPhysicalDeviceShaderClockFeaturesKHR clock{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR};
};

struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::string name;    // for people
  std::string driver;  // with its version
  VkPhysicalDeviceProperties properties = {};
  std::array<uint8_t, VK_UUID_SIZE> driver_id = {};  // driverUUID
  codegen::SpirvDevice code;                         // properties on which code depends
  uint32_t queue_family = 0;                         // the one that runs compute shaders
  uint32_t queues = 1;
  double tick = 0;              // of timestamps, in nanoseconds; 0: there are none
  uint64_t tick_mask = 0;       // the bits of a timestamp that count
  uint32_t max_groups = 65535;  // that one dispatch may have
  // Limits of arrays that code reaches through storage buffers (SpirvDevice::bound_arrays):
  uint32_t max_bound_bytes = 0;         // their size
  uint32_t bound_alignment = 16;        // of their addresses; a power of two, 4 at least
  std::vector<const char*> extensions;  // those of the feature chain
};

/// Properties of a device. `features` gets the features to switch on. Throws NotAvailable when it lacks one that all
/// code needs.
PhysicalDevice examine(VkPhysicalDevice handle, FeatureChain& features);

/// Description of a device, also of one that lacks something.
DeviceInfo info_of(VkPhysicalDevice handle);

/// The device that is wanted (find_device), else the one that QD_VISIBLE_DEVICE names, else the fastest kind that there
/// is. Throws NotAvailable when there is none, or it lacks something.
PhysicalDevice choose_device(const std::string& wanted, FeatureChain& features);

}  // namespace qd::device::vulkan
