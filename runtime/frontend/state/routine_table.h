// The routines of a kernel: funcs that are called at run time, by a key of their arguments' types and templates.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "runtime/frontend/state/kernel_builder.h"

namespace qd::frontend {

struct RoutineState {
  Func func;                  // keeps the source
  std::vector<Item> results;  // as a call puts them together; their ids mean nothing
  bool tuple = false;
  bool open = true;     // the body is being lowered
  bool failed = false;  // there were errors in it
  uint32_t location = 0;
};

struct RoutineTable {
  std::map<std::string, uint32_t> by_key;  // into Kernel::routines
  std::deque<RoutineState> states;         // by the number of the routine, too
  uint64_t n_calls = 0;                    // places that call routines

  /// Forgets the routines that begin at `size` of Kernel::routines.
  void forget(size_t size) {
    forget_rows(by_key, size);
    states.resize(size);
  }
};

}  // namespace qd::frontend
