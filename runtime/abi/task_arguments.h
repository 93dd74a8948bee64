// Arguments of each start of a task on a device with memory of its own: the push constants of a SPIR-V task, and the
// arguments of a kernel of CUDA or HIP, in this order.
#pragma once

#include <cstdint>

namespace qd {

struct TaskArguments {
  uint64_t launch;  // a DeviceLaunch (device_launch.h)
  uint64_t seed;    // of random numbers: a new one for each start of a task that draws some
  // Iterations of a parallel task: thread t of group g runs g * group_stride + t + k * step for k below `rounds`.
  // Either groups have pieces of the range, or the steps of all of them are interleaved.
  uint32_t group_stride;
  uint32_t step;
  uint32_t rounds;
  uint32_t unused;
};
static_assert(sizeof(TaskArguments) == 32);

}  // namespace qd
