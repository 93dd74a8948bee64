// AMD's GPUs, through HIP.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/device_info.h"

namespace qd::device {

/// Opens HIP's runtime, libamdhip64.so, with the first call; the environment variable QD_HIP_DRIVER names another
/// library. Throws std::runtime_error("amdgpu not available: reason").
std::unique_ptr<Device> hip_device(const DeviceOptions& options);

/// The reason why there is no device, without making one; empty when there is one. `device`: DeviceOptions::device.
std::string why_no_hip(const std::string& device = {});

/// The GPUs in the order of the driver; none without a driver.
std::vector<DeviceInfo> hip_devices();

}  // namespace qd::device
