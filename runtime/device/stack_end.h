// How far down the stack of a thread goes.
#pragma once

#include <cstdint>

namespace qd::device {

/// The lowest address of this thread's stack that recursion in kernels may reach; what is below is for what they call.
/// 0 when nobody knows.
uint64_t stack_end();

}  // namespace qd::device
