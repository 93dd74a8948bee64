// What an iteration of a task costs.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::passes {

/// An estimate in tenths of nanoseconds, at least 1; of a serial task, of all of it. Good enough to cut a range into
/// pieces that are worth a thread.
int64_t iteration_cost(const ir::Kernel& kernel, const ir::Task& task);

}  // namespace qd::passes
