// Runs kernel IR, one instruction after the other, before and after the passes: the oracle of their tests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::passes::testing {

/// What a launch is given. Elements and scalars are bits as in Const.
struct Launch {
  std::vector<uint64_t> params;
  std::vector<std::vector<int32_t>> shapes;    // of each array
  std::vector<std::vector<uint64_t>> arrays;   // C order
};

/// What a launch leaves behind.
struct Outcome {
  std::vector<std::vector<uint64_t>> arrays;
  std::vector<uint64_t> results;
  std::map<uint32_t, uint64_t> probes;  // how often each fired
  std::vector<std::string> prints;
  bool failed = false;  // at an assert

  bool operator==(const Outcome&) const = default;
};

struct Run {
  Outcome outcome;
  /// Places that two iterations of a parallel loop touched, one of them writing and one not atomically.
  std::vector<std::string> races;
  int tasks = 0;
};

/// Runs iterations of parallel tasks in order, in chunks of three, each with its own prologue. Local variables start with garbage. Throws std::runtime_error for what
/// no kernel may do: an index out of range, a value that is not there, an endless loop.
Run interpret(const ir::Kernel& kernel, const Launch& launch);

}  // namespace qd::passes::testing
