// Launch shape of a task on a GPU, by its code.
#pragma once

#include <optional>

#include "runtime/ir/kernel.h"

namespace qd::codegen::gpu {

struct TaskShape {
  uint32_t group_size = 1;  // threads of a group; of a serial task 1, and it takes one group
  bool draws = false;       // random numbers: TaskArguments::seed matters
  /// Whether a thread may end before a barrier for which others wait. Hardware waits no longer for threads that have
  /// left the code, so each group must run one block: TaskArguments::rounds is 1.
  bool one_round = false;
};

TaskShape shape_of(const ir::Kernel& kernel, const ir::Task& task);

/// The task that hands the output of a launch over to the host (DeviceLaunch::left): the last one, if tasks follow each
/// other. None: the host has to ask for the output, because other tasks may be the last, or messages belong to it.
std::optional<uint32_t> task_that_hands_over(const ir::Kernel& kernel);

}  // namespace qd::codegen::gpu
