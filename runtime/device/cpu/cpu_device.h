// The CPU as a device.
#pragma once

#include <memory>

#include "runtime/device/device.h"

namespace qd::device {

/// Launches run in place, on the calling thread and DeviceOptions::threads - 1 others. They may come from several
/// threads at once, and from inside of another launch.
std::unique_ptr<Device> cpu_device(const DeviceOptions& options);

}  // namespace qd::device
