// Runs the sections of a fork side by side.
#pragma once

#include "runtime/device/cpu/task_run.h"

namespace qd::device {

/// Runs the sections of a Fork, and waits for them. On one thread, or when tasks are measured, they take turns.
void run_sections(CpuState& state, CpuLaunch& launch, const ir::Step& fork);

}  // namespace qd::device
