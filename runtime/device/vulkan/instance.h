// Vulkan in this process: the loader, the instance, and what the validation layer says.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/device/vulkan/volk.h"

namespace qd::device::vulkan {

/// There is no loader, no driver or no device that can run kernels.
struct NotAvailable : std::runtime_error {
  explicit NotAvailable(const std::string& reason) : std::runtime_error("vulkan not available: " + reason) {}
};

/// Opens the loader and makes the instance when it is called for the first time; both stay. Throws NotAvailable.
/// Thread-safe.
VkInstance instance();

/// The devices of all drivers, in the order of the loader. Throws NotAvailable when there is none.
std::vector<VkPhysicalDevice> physical_devices();

/// Whether the validation layer is on: where QD_VULKAN_VALIDATION is set, and not to 0.
bool validates();

/// What the validation layer has said since the last call, a line for each message. Thread-safe.
std::string take_validation_messages();

/// Throws std::runtime_error when the validation layer has said something.
void require_valid_use();

}  // namespace qd::device::vulkan
