// AMD's GPUs, through HIP.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/device_info.h"

namespace qd::device {

/// Opens HIP's runtime, libamdhip64.so, when it is called for the first time; the environment variable QD_HIP_DRIVER
/// names another library. Throws std::runtime_error("amdgpu not available: reason").
std::unique_ptr<Device> hip_device(const DeviceOptions& options);

/// The reason, without making a device; empty when there is one. `device`: DeviceOptions::device.
std::string why_no_hip(const std::string& device = {});

/// The GPUs in the order of the driver; none where there is no driver.
std::vector<DeviceInfo> hip_devices();

}  // namespace qd::device
