// Cache entries of kernels: each has one of its own in the program's cache, so entries stay small, processes do not
// overwrite each other's, and unused ones are deleted like all others.
#include "runtime/device/vulkan/pipeline_cache.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace qd::device::vulkan {
namespace {

using Header = VkPipelineCacheHeaderVersionOne;
static_assert(sizeof(Header) == 32);

std::string hex(std::span<const uint8_t> bytes) {
  std::string text;
  for (uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

/// Key of a cache entry: everything on which the driver's code depends.
std::string key_of(const PhysicalDevice& device, std::string_view code) {
  const VkPhysicalDeviceProperties& known = device.properties;
  return fmt::format("pipelines {:x} {:x} {:x} {} {}\n{}", known.vendorID, known.deviceID, known.driverVersion,
                     hex(known.pipelineCacheUUID), hex(device.driver_id), code);
}

}  // namespace

bool is_cache_of(const VkPhysicalDeviceProperties& device, std::string_view bytes) {
  Header header;
  if (bytes.size() <= sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header.headerSize == sizeof header && header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
         header.vendorID == device.vendorID && header.deviceID == device.deviceID &&
         std::memcmp(header.pipelineCacheUUID, device.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

PipelineCache::PipelineCache(Gpu& gpu, std::string_view code) : gpu_(gpu), key_(key_of(gpu.physical(), code)) {
  if (!gpu_.kept().find) return;
  std::string found = gpu_.kept().find(key_).value_or("");
  if (is_cache_of(gpu_.physical().properties, found)) {
    make(found);
    if (handle_) kept_ = std::move(found);
  }
  if (!handle_) make({});
}

PipelineCache::~PipelineCache() {
  if (gpu_.usable()) gpu_.vk.vkDestroyPipelineCache(gpu_.device(), handle_, nullptr);
}

void PipelineCache::make(std::string_view initial) {
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  info.initialDataSize = initial.size();
  info.pInitialData = initial.data();
  // Without a cache, kernels only take longer to load.
  if (gpu_.vk.vkCreatePipelineCache(gpu_.device(), &info, nullptr, &handle_) != VK_SUCCESS) handle_ = VK_NULL_HANDLE;
}

void PipelineCache::keep() {
  if (!handle_) return;
  const auto get = [&](size_t& size, void* data) {
    return gpu_.vk.vkGetPipelineCacheData(gpu_.device(), handle_, &size, data);
  };
  size_t size = 0;
  if (get(size, nullptr) != VK_SUCCESS || size <= sizeof(Header)) return;
  std::string bytes(size, '\0');
  if (get(size, bytes.data()) != VK_SUCCESS) return;
  bytes.resize(size);
  if (bytes != kept_ && is_cache_of(gpu_.physical().properties, bytes)) gpu_.kept().put(key_, bytes);
}

}  // namespace qd::device::vulkan
