// A device without hardware: it interprets kernels, on a thread of its own, in memory of its own, later.
#pragma once

#include <memory>

#include "runtime/device/device.h"

namespace qd::device {

/// Launches run in the order of their stream, those of several streams in one that DeviceOptions::random_seed draws,
/// and none before somebody waits or many have come together. Memory is the host's only while it is mapped. All that is
/// asynchronous about other devices can be tested on it, on any machine.
std::unique_ptr<Device> reference_device(const DeviceOptions& options);

}  // namespace qd::device
