// Cost model: estimates the run time of an iteration of a task.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::passes {

/// The estimated time in tenths of nanoseconds, at least 1; of a serial task it is for the whole task. It is good
/// enough to cut a range into parts that are worth a thread.
int64_t iteration_cost(const ir::Kernel& kernel, const ir::Task& task);

}  // namespace qd::passes
