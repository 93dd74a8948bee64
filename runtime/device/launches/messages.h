// Reads the messages of a launch's tasks to the host (DeviceMessages).
#pragma once

#include <functional>

#include "runtime/abi/device_launch.h"
#include "runtime/device/device.h"

namespace qd::device {

/// Adds the prints and warnings to the outcome, and then the failed assert, if there is one. `first_warning`: whether a
/// warning of this format is to be told.
void read_messages(const DeviceMessages& messages, const std::function<bool(uint32_t format)>& first_warning,
                   LaunchOutcome& outcome);

}  // namespace qd::device
