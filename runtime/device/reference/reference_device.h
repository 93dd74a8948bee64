// A device without hardware: it interprets kernels, on a thread of its own, in memory of its own, and later than they
// were launched.
#pragma once

#include <memory>

#include "runtime/device/device.h"

namespace qd::device {

/// Makes the device. Launches run in the order of their stream. The order of several streams is drawn from
/// DeviceOptions::random_seed. No launch runs before a thread waits, or many launches have come together. The host may
/// use memory only while it is mapped. So all asynchronous behaviour of other devices can be tested on any machine.
std::unique_ptr<Device> reference_device(const DeviceOptions& options);

}  // namespace qd::device
