// What the kernel gets that tells a graph of the driver whether steps run: the parameters of TaskArguments, with other
// meanings.
#pragma once

#include <cstdint>

namespace qd {

/// When the steps run, in a launch that has not failed.
enum class RunsWhen : uint32_t {
  NotZero,  // where the temp, an i32, is not 0
  Zero,     // where it is
  Always,
};

struct ConditionArguments {
  uint64_t launch;  // a DeviceLaunch (device_launch.h)
  uint64_t handle;  // of the condition, as the driver gave it
  // Where these two lie, in bytes from the DeviceLaunch:
  uint32_t temp;
  uint32_t failed;  // DeviceMessages::failed
  RunsWhen when;
  uint32_t unused;
};

}  // namespace qd
