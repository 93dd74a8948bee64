// Devices of CUDA and HIP.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device_info.h"
#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {

/// Throws NotAvailable.
std::unique_ptr<Device> device(const Kind& kind, const DeviceOptions& options);

/// The reason, without opening a device; empty when there is one. `wanted`: DeviceOptions::device.
std::string why_not(const Kind& kind, const std::string& wanted);

/// In the order of the driver. Throws NotAvailable.
std::vector<DeviceInfo> devices(const Kind& kind);

}  // namespace qd::device::gpu
