// Counters for which 32 bits are enough within a thread of a GPU.
#pragma once

#include <set>

#include "runtime/ir/kernel.h"

namespace qd::codegen {

/// The counters of a task that grow by 1 at most in an iteration: no thread has 2^32 iterations.
std::set<uint32_t> narrow_counters(const ir::Kernel& kernel, const ir::Task& task);

}  // namespace qd::codegen
