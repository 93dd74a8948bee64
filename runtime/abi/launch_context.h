// What compiled CPU code and whoever runs it agree on: the launch context and the signature of a task.
#pragma once

#include <cstdint>

#include "runtime/abi/array_slot.h"

namespace qd {

/// State of the thread that runs a part of a task. Where routines count, their words follow it in memory, all zero
/// before: one for each counter of ir::routine_counters(Count), then those of ir::routine_counters(Record).
struct ThreadState {
  uint64_t random[2];
  uint64_t* counts =
      nullptr;  // where this part leaves its counts, one word for each counter of ir::counters_of(Count), then for
                // those of ir::counters_of(Record); need not be zero before
  uint64_t stack_end = 0;  // the lowest address that calls may use; 0: nobody knows
  int64_t iteration = 0;   // of the task, where routines ask for it
};

/// The argument of all compiled code. Code holds no absolute address, so that it can be cached.
struct LaunchContext {
  const ArraySlot* arrays;
  const uint64_t* params;  // each scalar in 8 bytes: integers extended, floats as their own bits
  uint64_t* results;       // likewise
  uint64_t* temps;
  uint64_t* counters;  // probe buffer, for marks: counts are added to it by whoever runs the task; null when the kernel
                       // has no probes
  /// Prints the values of a format (each in 8 bytes).
  void (*print)(LaunchContext*, uint32_t format, const uint64_t* values);
  /// An assert did not hold: notes the first failure. The task returns after it.
  void (*fail)(LaunchContext*, uint32_t format, const uint64_t* values);
  void* launcher;  // of whoever runs the task
  /// Something to tell the user: notes it. The task goes on.
  void (*warn)(LaunchContext*, uint32_t format, const uint64_t* values);
  /// After fail(): the call at this place (Inst::imm of a Call) does not come back.
  void (*called_from)(LaunchContext*, uint64_t place);
};

/// A task: Serial ones get (0, 1); parallel ones a part [begin, end) of the flattened iteration space.
using TaskFunction = void (*)(LaunchContext*, ThreadState*, int64_t begin, int64_t end);

}  // namespace qd
