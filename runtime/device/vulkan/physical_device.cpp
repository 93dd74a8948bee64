// Properties of a device, from Vulkan, as codegen::SpirvDevice.
#include "runtime/device/vulkan/physical_device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/device/vulkan/instance.h"

namespace qd::device::vulkan {
namespace {

VkPhysicalDeviceProperties properties_of(VkPhysicalDevice device) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(device, &properties);
  return properties;
}

std::string type_name(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete gpu";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated gpu";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual gpu";
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return "cpu";
    default: return "other";
  }
}

/// Preference for a kind of device, the higher the better.
int rank(VkPhysicalDevice device) {
  switch (properties_of(device).deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 2;
    default: return 1;
  }
}

std::string version_text(uint32_t version) {
  return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                     VK_API_VERSION_PATCH(version));
}

uint64_t memory_of(VkPhysicalDevice device) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(device, &memory);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) sum += memory.memoryHeaps[i].size;
  }
  return sum;
}

VkPhysicalDevice chosen(const std::vector<VkPhysicalDevice>& devices, const std::string& wanted) {
  const char* visible = std::getenv("QD_VISIBLE_DEVICE");
  const bool by_environment = wanted.empty() && visible && *visible;
  if (wanted.empty() && !by_environment) return *std::ranges::max_element(devices, {}, rank);
  std::vector<DeviceInfo> known;
  for (VkPhysicalDevice device : devices) known.push_back({.name = properties_of(device).deviceName});
  try {
    return devices[find_device(known, by_environment ? visible : wanted)];
  } catch (const std::invalid_argument& error) {
    throw NotAvailable(error.what() + std::string(by_environment ? " (QD_VISIBLE_DEVICE)" : ""));
  }
}

void find_queue(PhysicalDevice& device, const VkPhysicalDeviceLimits& limits) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, families.data());
  const auto found =
      std::ranges::find_if(families, [](const auto& family) { return family.queueFlags & VK_QUEUE_COMPUTE_BIT; });
  if (found == families.end()) throw NotAvailable(device.name + " has no queue for compute shaders");
  device.queue_family = static_cast<uint32_t>(found - families.begin());
  device.queues = found->queueCount;
  if (found->timestampValidBits == 0) return;
  device.tick = limits.timestampPeriod;
  device.tick_mask = found->timestampValidBits >= 64 ? UINT64_MAX : (uint64_t{1} << found->timestampValidBits) - 1;
}

void find_extensions(PhysicalDevice& device, FeatureChain& features) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device.handle, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> present(count);
  vkEnumerateDeviceExtensionProperties(device.handle, nullptr, &count, present.data());
  // `structure`: null when the extension has no features.
  auto use = [&](const char* name, void* structure) {
    if (std::ranges::none_of(present, [&](const auto& row) { return std::strcmp(row.extensionName, name) == 0; }))
      return;
    device.extensions.push_back(name);
    if (structure) features.append(structure);
  };
  use(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, &features.float_atomics);
  use(VK_KHR_SHADER_CLOCK_EXTENSION_NAME, &features.clock);
  use(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, nullptr);
}

void require_features(const PhysicalDevice& device, const FeatureChain& features) {
  const std::pair<VkBool32, const char*> needed[] = {
      {features.core.features.shaderInt64, "shaderInt64"},
      {features.v12.bufferDeviceAddress, "bufferDeviceAddress"},
      {features.v12.timelineSemaphore, "timelineSemaphore"},
      {features.v12.storageBuffer8BitAccess, "storageBuffer8BitAccess"},
  };
  for (auto [present, name] : needed) {
    if (!present) throw NotAvailable(device.name + " lacks the feature " + name);
  }
}

/// Whether Fma rounds once: Vulkan lets a driver compute a product and a sum instead, and gives no property for it.
/// These are drivers of processors that have the instruction, and use it.
bool fuses(VkDriverId driver) { return driver == VK_DRIVER_ID_NVIDIA_PROPRIETARY; }

/// A number from the environment, at most `most`; `most` if there is none.
uint32_t limited(uint32_t most, const char* variable) {
  const char* text = std::getenv(variable);
  return text && *text ? static_cast<uint32_t>(std::min<uint64_t>(most, std::strtoull(text, nullptr, 10))) : most;
}

/// Finds the limits of storage buffers, which drivers on the processor read faster than addresses (lane by lane).
void find_bound_arrays(PhysicalDevice& device, const VkPhysicalDeviceLimits& limits) {
  const auto is_push = [](const char* name) { return std::strcmp(name, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME) == 0; };
  if (!device.code.is_processor || std::ranges::none_of(device.extensions, is_push)) return;
  VkPhysicalDevicePushDescriptorPropertiesKHR push{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &push};
  vkGetPhysicalDeviceProperties2(device.handle, &properties);
  const uint32_t most = std::min({push.maxPushDescriptors, limits.maxPerStageDescriptorStorageBuffers,
                                  limits.maxDescriptorSetStorageBuffers, limits.maxPerStageResources});
  device.code.bound_arrays = limited(most, "QD_VULKAN_BOUND_ARRAYS");
  device.max_bound_bytes = limited(limits.maxStorageBufferRange, "QD_VULKAN_BOUND_BYTES");
  device.bound_alignment = std::max(4u, static_cast<uint32_t>(limits.minStorageBufferOffsetAlignment));
}

/// Limit of loop rounds in llvmpipe: LP_MAX_TGSI_LOOP_ITERATIONS of Mesa's gallivm.
constexpr uint32_t kLoopLimitOfLlvmpipe = 65535;

void describe(PhysicalDevice& device, const FeatureChain& features) {
  VkPhysicalDeviceFloatControlsProperties floats{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, &floats};
  VkPhysicalDeviceIDProperties ids{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, &driver};
  VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, &ids};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroup};
  vkGetPhysicalDeviceProperties2(device.handle, &properties);
  const VkPhysicalDeviceLimits& limits = properties.properties.limits;
  device.properties = properties.properties;
  std::ranges::copy(ids.driverUUID, device.driver_id.begin());

  using enum ir::Feature;
  codegen::SpirvDevice& code = device.code;
  code.name = fmt::format("{} | {} {} {:x}", device.name, driver.driverName, driver.driverInfo,
                          properties.properties.driverVersion);
  code.features = ir::features(I64, FloatAtomics, Calls, Blocks);
  if (features.core.features.shaderFloat64) code.features |= ir::features(F64);
  if (features.v12.shaderBufferInt64Atomics) code.features |= ir::features(WideAtomics);
  if (features.v11.storageBuffer16BitAccess) code.features |= ir::features(F16, SmallIntegers);
  auto in_subgroups = [&](VkSubgroupFeatureFlags operations) {
    return (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
           (subgroup.supportedOperations & operations) == operations;
  };
  constexpr uint32_t kLanes = 64;  // the bits of a ballot
  if (subgroup.subgroupSize <= kLanes &&
      in_subgroups(VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT))
    code.features |= ir::features(Subgroups);
  code.subgroup_size = subgroup.subgroupSize;
  code.subgroup_sums = features.v12.shaderSubgroupExtendedTypes &&
                       in_subgroups(VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
  code.max_shared_bytes = limits.maxComputeSharedMemorySize;
  code.wide_shared_atomics = features.v12.shaderSharedInt64Atomics;
  code.max_invocations = std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
  code.f32_atomic_add = features.float_atomics.shaderBufferFloat32AtomicAdd;
  code.f64_atomic_add = features.float_atomics.shaderBufferFloat64AtomicAdd;
  code.clock = features.clock.shaderSubgroupClock;
  code.fused_f32 = fuses(driver.driverID);
  code.fused_f64 = code.fused_f32;
  code.denormals_f32 = floats.shaderDenormPreserveFloat32;
  code.denormals_f64 = floats.shaderDenormPreserveFloat64;
  code.nearest_f32 = floats.shaderRoundingModeRTEFloat32;
  code.nearest_f64 = floats.shaderRoundingModeRTEFloat64;
  code.signed_zero_f32 = floats.shaderSignedZeroInfNanPreserveFloat32;
  code.signed_zero_f64 = floats.shaderSignedZeroInfNanPreserveFloat64;

  const bool is_llvmpipe = driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
  if (is_llvmpipe) code.loop_limit = kLoopLimitOfLlvmpipe;
  code.whole_f64 = !is_llvmpipe;
  device.driver = fmt::format("{} {}", driver.driverName, driver.driverInfo);
  code.is_processor = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  if (device.code.is_processor && subgroup.subgroupSize > 0) code.local_size = subgroup.subgroupSize;
  find_bound_arrays(device, limits);
  device.max_groups = limits.maxComputeWorkGroupCount[0];
  find_queue(device, limits);
}

}  // namespace

FeatureChain::FeatureChain() {
  core.pNext = &v11;
  v11.pNext = &v12;
}

void FeatureChain::append(void* structure) {
  auto* last = reinterpret_cast<VkBaseOutStructure*>(&v12);
  while (last->pNext) last = last->pNext;
  last->pNext = static_cast<VkBaseOutStructure*>(structure);
}

PhysicalDevice examine(VkPhysicalDevice handle, FeatureChain& features) {
  PhysicalDevice device;
  device.handle = handle;
  const VkPhysicalDeviceProperties properties = properties_of(handle);
  device.name = properties.deviceName;
  if (properties.apiVersion < VK_API_VERSION_1_2)
    throw NotAvailable(device.name + " has a driver that is older than Vulkan 1.2");
  find_extensions(device, features);
  vkGetPhysicalDeviceFeatures2(handle, &features.core);
  require_features(device, features);
  // Of no use here, and not free.
  features.core.features.robustBufferAccess = VK_FALSE;
  features.v12.bufferDeviceAddressCaptureReplay = VK_FALSE;
  features.v12.bufferDeviceAddressMultiDevice = VK_FALSE;
  describe(device, features);
  return device;
}

DeviceInfo info_of(VkPhysicalDevice handle) {
  const VkPhysicalDeviceProperties properties = properties_of(handle);
  DeviceInfo info{.name = properties.deviceName,
                  .type = type_name(properties.deviceType),
                  .driver = fmt::format("{:x}", properties.driverVersion),
                  .api = version_text(properties.apiVersion),
                  .memory = memory_of(handle)};
  try {
    FeatureChain features;
    const PhysicalDevice device = examine(handle, features);
    info.driver = device.driver;
    info.subgroup_size = device.code.subgroup_size;
    info.features = device.code.features;
  } catch (const NotAvailable& error) {
    info.lacks = error.what();
  }
  return info;
}

PhysicalDevice choose_device(const std::string& wanted, FeatureChain& features) {
  return examine(chosen(physical_devices(), wanted), features);
}

}  // namespace qd::device::vulkan
