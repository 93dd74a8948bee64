// The switch from one stack to another, which is all that a fibre needs of the processor.
#pragma once

#include <cstddef>

namespace qd::simulated {

/// Goes on where `to` was left, and leaves this place in *from. What a call may change is lost, the rest is kept.
void switch_stack(void** from, void* to);

/// A place on a stack of its own, for switch_stack(): calls `start`, which must not return. `top` is the end of the
/// stack's memory, at a multiple of 16 bytes; both must stay while the stack is used.
void* new_stack(char* top, void (*start)());

}  // namespace qd::simulated
