// Runs launches on the CPU.
#pragma once

#include <cstdint>

#include "runtime/device/cpu/cpu_executable.h"
#include "runtime/device/cpu/thread_pool.h"

namespace qd::device {

/// State that all launches of a stream share.
struct CpuState {
  ThreadPool& pool;  // the device's
  uint64_t random_seed;
  std::atomic<uint64_t> launches = 0;  // launches so far of tasks that draw random numbers
};

/// Runs the tasks in their order, parallel ones on the pool, and waits for them. Thread-safe.
void run(CpuState& state, const CpuExecutable& executable, const Invocation& invocation);

}  // namespace qd::device
