// The CPU as a device.
#pragma once

#include <memory>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/device_info.h"

namespace qd::device {

/// Launches on the default stream run in place: on the calling thread and on DeviceOptions::threads - 1 others. Several
/// threads may launch at the same time, and a launch may be made from inside of another one. Each further stream has
/// one thread more, which shares those others.
std::unique_ptr<Device> cpu_device(const DeviceOptions& options);

/// The devices of the arch: one, this computer.
std::vector<DeviceInfo> cpu_devices();

}  // namespace qd::device
