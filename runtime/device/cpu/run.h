// One launch on the CPU.
#pragma once

#include <cstdint>

#include "runtime/device/cpu/cpu_executable.h"
#include "runtime/device/cpu/thread_pool.h"

namespace qd::device {

/// What all launches of a device share.
struct CpuState {
  ThreadPool pool;
  uint64_t random_seed;
  std::atomic<uint64_t> launches = 0;  // of tasks that draw random numbers
};

/// Runs the tasks in their order, the parallel ones on the pool, and waits. Thread-safe.
void run(CpuState& state, const CpuExecutable& executable, const Invocation& invocation);

}  // namespace qd::device
