// Division of a parallel task's range into parts (chunks) for threads.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/abi/launch_context.h"
#include "runtime/device/cpu/cpu_executable.h"

namespace qd::device {

/// Number of iterations of a task in this launch; a serial task has 1.
int64_t iterations_of(const CpuExecutable::LoadedTask& task, const LaunchContext& context);

/// An estimate of the work of so many iterations, in tenths of nanoseconds.
int64_t work_of(const CpuExecutable::LoadedTask& task, int64_t iterations);
/// Whether that much work is done sooner by several threads.
bool worth_threads(int64_t work);

/// Number of iterations of a part, when this many threads share the task.
int64_t chunk_of(const CpuExecutable::LoadedTask& task, int64_t iterations, int threads, const LaunchContext& context);

/// Whether a task may run so long that its launch needs a Watch, to end early.
bool may_last(const CpuExecutable::LoadedTask& task, int64_t iterations);

}  // namespace qd::device
