// A device without hardware: it interprets kernels, on a thread of its own, in memory of its own, and later than they
// were launched.
#pragma once

#include <memory>

#include "runtime/device/device.h"

namespace qd::device {

/// Launches run in the order of their stream. The order of several streams is drawn from DeviceOptions::random_seed. No
/// launch runs before somebody waits, or many launches have come together. The host may use memory only while the
/// memory is mapped. So everything that is asynchronous about other devices can be tested on any machine.
std::unique_ptr<Device> reference_device(const DeviceOptions& options);

}  // namespace qd::device
