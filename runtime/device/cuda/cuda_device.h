// NVIDIA's GPUs, through the driver interface of CUDA.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/device_info.h"

namespace qd::device {

namespace gpu {
struct Kind;
}

/// Opens the driver, libcuda.so.1, with the first call; the environment variable QD_CUDA_DRIVER names another library.
/// Throws std::runtime_error("cuda not available: reason").
std::unique_ptr<Device> cuda_device(const DeviceOptions& options);

/// The reason why there is no device, without making one; empty when there is one. `device`: DeviceOptions::device.
std::string why_no_cuda(const std::string& device = {});

/// The GPUs in the order of the driver; none without a driver.
std::vector<DeviceInfo> cuda_devices();

/// The driver interface, for programs that use it beside the runtime (gpu::Gpu::open).
const gpu::Kind& cuda_kind();

}  // namespace qd::device
