// Names of results in the specification of Vulkan.
#include "runtime/device/vulkan/results.h"

#include <new>

namespace qd::device::vulkan {

std::string name(VkResult result) {
  switch (result) {
#define QD_RESULT(result) \
  case result: return #result;
    QD_RESULT(VK_SUCCESS)
    QD_RESULT(VK_NOT_READY)
    QD_RESULT(VK_TIMEOUT)
    QD_RESULT(VK_INCOMPLETE)
    QD_RESULT(VK_ERROR_OUT_OF_HOST_MEMORY)
    QD_RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    QD_RESULT(VK_ERROR_INITIALIZATION_FAILED)
    QD_RESULT(VK_ERROR_DEVICE_LOST)
    QD_RESULT(VK_ERROR_MEMORY_MAP_FAILED)
    QD_RESULT(VK_ERROR_LAYER_NOT_PRESENT)
    QD_RESULT(VK_ERROR_EXTENSION_NOT_PRESENT)
    QD_RESULT(VK_ERROR_FEATURE_NOT_PRESENT)
    QD_RESULT(VK_ERROR_INCOMPATIBLE_DRIVER)
    QD_RESULT(VK_ERROR_TOO_MANY_OBJECTS)
    QD_RESULT(VK_ERROR_INVALID_SHADER_NV)
#undef QD_RESULT
    default: return "VkResult " + std::to_string(result);
  }
}

void require(const char* function, VkResult result, const std::string& of) {
  if (result >= 0) return;
  if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY) throw std::bad_alloc();
  throw CallFailed(function, result, of);
}

}  // namespace qd::device::vulkan
