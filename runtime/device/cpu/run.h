// Runs launches on the CPU.
#pragma once

#include "runtime/device/cpu/cpu_executable.h"
#include "runtime/device/cpu/task_run.h"

namespace qd::device {

/// Runs the tasks in the order of the schedule, parallel ones on the pool, and waits for them. Thread-safe.
void run(CpuState& state, const CpuExecutable& executable, const Invocation& invocation);

}  // namespace qd::device
