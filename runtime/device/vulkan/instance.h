// Vulkan in this process: the loader, the instance, and messages of the validation layer.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/device/vulkan/volk.h"

namespace qd::device::vulkan {

/// Error without a loader, a driver or a device that can run kernels.
struct NotAvailable : std::runtime_error {
  explicit NotAvailable(const std::string& reason) : std::runtime_error("vulkan not available: " + reason) {}
};

/// Opens the loader and makes the instance with the first call; both stay until the process ends. Throws NotAvailable.
/// Thread-safe.
VkInstance instance();

/// The devices of all drivers, in the order of the loader. Throws NotAvailable when there is none.
std::vector<VkPhysicalDevice> physical_devices();

/// Whether the validation layer is on: if QD_VULKAN_VALIDATION is set, and not to 0.
bool validates();

/// Messages of the validation layer since the last call, a line for each. Thread-safe.
std::string take_validation_messages();

/// Throws std::runtime_error when there are messages of the validation layer.
void require_valid_use();

}  // namespace qd::device::vulkan
