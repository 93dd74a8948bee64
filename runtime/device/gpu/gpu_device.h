// Devices of CUDA and HIP.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device_info.h"
#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {

/// Opens a device. Throws NotAvailable.
std::unique_ptr<Device> device(const Kind& kind, const DeviceOptions& options);

/// The reason why there is no device, without opening one; empty when there is one. `wanted`: DeviceOptions::device.
std::string why_not(const Kind& kind, const std::string& wanted);

/// The devices in the order of the driver. Throws NotAvailable.
std::vector<DeviceInfo> devices(const Kind& kind);

}  // namespace qd::device::gpu
