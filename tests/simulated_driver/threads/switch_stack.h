// The switch from one stack to another, which is all that a fibre needs of the processor.
#pragma once

#include <cstddef>

namespace qd::simulated {

/// Where code goes on that was left on a stack.
struct Place {
  void* stack;
  void* fiber;  // what ThreadSanitizer knows of the stack; else null
};

/// Goes on at `to`, and leaves this place in `from`. What a call may change is lost, the rest is kept.
void switch_stack(Place& from, const Place& to);

/// Makes a place on a stack of its own, which calls `start`; that must not return. The stack's memory ends at `top`, a
/// multiple of 16 bytes, and must stay while the stack is used. A place that is made again must not be in use.
void make_place(Place& place, char* top, size_t bytes, void (*start)());

/// To be called when a jump out of a signal handler has led from some stack to the one that was left at `to`.
void has_jumped(const Place& to);

}  // namespace qd::simulated
