// Arguments of the kernel that sets a condition of a driver's graph, and so tells whether steps run: the parameters of
// TaskArguments, with other meanings.
#pragma once

#include <cstdint>

namespace qd {

/// The rule by which the steps run, in a launch that has not failed.
enum class RunsWhen : uint32_t {
  NotZero,  // if the temp, an i32, is not 0
  Zero,     // if it is 0
  Always,
};

struct ConditionArguments {
  uint64_t launch;  // a DeviceLaunch (device_launch.h)
  uint64_t handle;  // the condition's handle, from the driver
  // Offsets in bytes from the DeviceLaunch:
  uint32_t temp;
  uint32_t failed;  // DeviceMessages::failed
  RunsWhen when;
  uint32_t unused;
};

}  // namespace qd
