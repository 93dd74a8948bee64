// The stacks of fibres, which are used again for each group.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qd::simulated {

/// Size of the smallest stack, in bytes.
inline constexpr size_t kWholeStack = size_t{1} << 17;

/// The end of the stack of a thread, at a multiple of 16 bytes. Below the stack lies a page that faults. Throws
/// std::bad_alloc. For one thread of the process at a time.
char* top_of_stack(uint32_t thread);

}  // namespace qd::simulated
