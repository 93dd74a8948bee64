// The stacks of fibres, which are used again for each group.
#pragma once

#include <cstdint>

namespace qd::simulated {

/// The end of the stack of a thread, at a multiple of 16 bytes. Below the stack lies a page that faults. Throws
/// std::bad_alloc. For one thread at a time.
char* top_of_stack(uint32_t thread);

}  // namespace qd::simulated
