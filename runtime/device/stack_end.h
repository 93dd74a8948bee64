// Limit of a thread's stack for recursion in kernels.
#pragma once

#include <cstdint>

namespace qd::device {

/// The lowest address of this thread's stack that recursion in kernels may reach. The part below it is left for
/// functions that kernels call. 0 when it is not known.
uint64_t stack_end();

}  // namespace qd::device
