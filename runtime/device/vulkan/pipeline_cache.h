// What a driver has compiled for a kernel, kept from one run to the next.
#pragma once

#include <string>
#include <string_view>

#include "runtime/device/vulkan/gpu.h"

namespace qd::device::vulkan {

/// The VkPipelineCache of one kernel's pipelines: it begins with what an earlier run has kept for the same code, device
/// and driver. Bytes that are none of this driver's are left out. Drivers without anything to keep keep nothing.
class PipelineCache {
 public:
  /// `code`: what is compiled.
  PipelineCache(Gpu& gpu, std::string_view code);
  ~PipelineCache();
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;

  /// May be VK_NULL_HANDLE: then the driver makes pipelines without a cache.
  VkPipelineCache handle() const { return handle_; }
  /// Keeps what the driver has compiled, if that is more than there was. Called when the pipelines are made.
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
