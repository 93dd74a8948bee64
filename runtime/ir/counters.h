// Counters that a part of a kernel changes, and the rules that combine their values (QD_COUNTER in op.def).
#pragma once

#include <array>
#include <cstdint>

#include "runtime/ir/kernel.h"

namespace qd::ir {

inline constexpr std::array kCombineRules{AtomicOp::Add, AtomicOp::Or, AtomicOp::Max};

/// A value of two: of a counter and of another thread, part of a task or launch.
constexpr uint64_t combined(AtomicOp rule, uint64_t a, uint64_t b) {
  return rule == AtomicOp::Add ? a + b : rule == AtomicOp::Or ? a | b : a < b ? b : a;
}

/// Counters of the same rule, which lie in [first, first + size). Some of them may have another rule: the code does not
/// change those.
struct CounterRange {
  AtomicOp rule;
  uint32_t first = 0;
  uint32_t size = 0;
  uint32_t word = 0;  // of the first counter, where all ranges stand one behind the other
};

/// All counters of a task or of routines: a range for each rule.
struct CounterRanges {
  std::array<CounterRange, kCombineRules.size()> ranges{{{AtomicOp::Add}, {AtomicOp::Or}, {AtomicOp::Max}}};

  auto begin() const { return ranges.begin(); }
  auto end() const { return ranges.end(); }
  uint32_t words() const { return ranges.back().word + ranges.back().size; }
  /// Place of a counter among the words of all ranges.
  uint32_t word_of(AtomicOp rule, uint32_t counter) const;
};

CounterRanges counters_of(const Kernel& kernel, const Task& task);
/// Counters of all routines together.
CounterRanges routine_counters(const Kernel& kernel);

}  // namespace qd::ir
