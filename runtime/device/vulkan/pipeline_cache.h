// Cache of a driver's compilations for a kernel, kept from one run to the next.
#pragma once

#include <string>
#include <string_view>

#include "runtime/device/vulkan/gpu.h"

namespace qd::device::vulkan {

/// The VkPipelineCache of one kernel's pipelines: it begins with the bytes that an earlier run kept for the same code,
/// device and driver. Bytes of another driver are left out. Drivers without anything to keep keep nothing.
class PipelineCache {
 public:
  /// Opens the cache. `code`: the code that is compiled.
  PipelineCache(Gpu& gpu, std::string_view code);
  ~PipelineCache();
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;

  /// The cache's handle. May be VK_NULL_HANDLE: then the driver makes pipelines without a cache.
  VkPipelineCache handle() const { return handle_; }
  /// Keeps the driver's compilations, if they are more than there were. Called when the pipelines are made.
  void keep();

 private:
  void make(std::string_view initial);

  Gpu& gpu_;
  const std::string key_;
  VkPipelineCache handle_ = VK_NULL_HANDLE;
  std::string kept_;  // by an earlier run
};

/// Whether bytes begin as the cache of such a device and driver does (VkPipelineCacheHeaderVersionOne).
bool is_cache_of(const VkPhysicalDeviceProperties& device, std::string_view bytes);

}  // namespace qd::device::vulkan
