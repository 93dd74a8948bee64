// Vulkan devices: GPUs, and drivers that run on the processor, such as Mesa's lavapipe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/device_info.h"

namespace qd::device {

/// Makes a device of a Vulkan driver; the first call opens the loader of Vulkan. Throws std::runtime_error("vulkan not
/// available: reason").
std::unique_ptr<Device> vulkan_device(const DeviceOptions& options);

/// The reason why there is no device, without making one; empty when there is one. `device`: DeviceOptions::device.
std::string why_no_vulkan(const std::string& device = {});

/// The devices of all drivers, in the order of the loader; none without Vulkan.
std::vector<DeviceInfo> vulkan_devices();

}  // namespace qd::device
