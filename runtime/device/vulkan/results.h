// Results of Vulkan's functions as errors.
#pragma once

#include <stdexcept>
#include <string>

#include "runtime/device/vulkan/volk.h"

namespace qd::device::vulkan {

/// Name of a result: "VK_ERROR_DEVICE_LOST".
std::string name(VkResult result);

/// Error of a function of Vulkan.
struct CallFailed : std::runtime_error {
  CallFailed(const char* function, VkResult result, const std::string& of = {})
      : std::runtime_error(of + function + " failed: " + name(result)), result(result) {}
  const VkResult result;
};

/// Checks a result. Throws CallFailed, or std::bad_alloc when memory ran out. The message begins with `of`.
void require(const char* function, VkResult result, const std::string& of = {});

}  // namespace qd::device::vulkan
