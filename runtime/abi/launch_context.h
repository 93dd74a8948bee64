// Interface between compiled CPU code and its caller: the launch context and the signature of a task.
#pragma once

#include <cstdint>

#include "runtime/abi/array_slot.h"

namespace qd {

/// State of the thread that runs a part of a task. Where routines count, their counters follow this struct in memory,
/// one word each, in the order of ir::routine_counters, and are zero before the part.
struct ThreadState {
  uint64_t
      random[2];  // the state of random numbers; for a parallel task, the seed of which each iteration makes its own
  uint64_t* counts = nullptr;  // output, the counts of this part: a word for each counter of ir::counters_of, in that
                               // order; need not be zero before
  uint64_t stack_end = 0;      // the lowest address of the stack that calls may use; 0: unknown
  uint32_t section = 0;        // the section of a fork that this is part of, counted from 1; 0: of none
  int64_t iteration = 0;       // the number of the present iteration of the task, for routines that ask for it
};

/// The argument of all compiled code. The code itself holds no absolute address, so that it can be cached.
struct LaunchContext {
  const ArraySlot* arrays;
  const uint64_t* params;  // each scalar in 8 bytes: integers extended, floats as their own bits
  uint64_t* results;       // as params
  uint64_t* temps;
  uint64_t* counters;  // the probe buffer, in which code stores hits; the caller of a task adds counts to it;
                       // null when the kernel has no probes
  /// Prints the values of a format (each in 8 bytes).
  void (*print)(LaunchContext*, uint32_t format, const uint64_t* values);
  /// Notes an assert that did not hold, unless another one has failed before. The task returns afterwards.
  void (*fail)(LaunchContext*, uint32_t format, const uint64_t* values);
  void* launcher;  // for the caller of the task
  /// Notes a warning to the user. The task goes on.
  void (*warn)(LaunchContext*, uint32_t format, const uint64_t* values);
  /// After fail(), called for each call that the failure ends, innermost first: `place` is Inst::imm of the Call.
  void (*called_from)(LaunchContext*, uint64_t place);
  /// Result of a Claim (ir/op.def).
  int32_t (*claim)(LaunchContext*, const ThreadState*, const void* element, uint32_t format, uint32_t access);
  /// Adds up an array that a part had for itself (device/cpu/combine_arrays.h).
  void (*combine)(void* shared, const void* own, uint64_t numbers, uint32_t op, uint32_t type);
};

/// A task. A serial task gets (0, 1); a parallel one a part [begin, end) of its iterations, numbered with the last axis
/// fastest.
using TaskFunction = void (*)(LaunchContext*, ThreadState*, int64_t begin, int64_t end);

}  // namespace qd
