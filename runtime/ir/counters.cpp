// Ranges of counters, by a walk over the instructions that change them.
#include "runtime/ir/counters.h"

#include <algorithm>
#include <span>
#include <vector>

#include "runtime/ir/walk.h"

namespace qd::ir {
namespace {

CounterRanges ranges_of(const Kernel& kernel, std::span<const BlockId> blocks) {
  CounterRanges found;
  for (BlockId block : blocks) {
    walk(kernel, block, [&](InstId id) {
      const std::optional<AtomicOp> rule = combine_rule(kernel[id].op);
      if (!rule) return;
      CounterRange& range = *std::ranges::find(found.ranges, *rule, &CounterRange::rule);
      const uint32_t counter = kernel[id].aux;
      const uint32_t first = range.size == 0 ? counter : std::min(range.first, counter);
      const uint32_t end = std::max(range.first + range.size, counter + 1);
      range = {*rule, first, end - first};
    });
  }
  for (uint32_t word = 0; CounterRange & range : found.ranges) {
    range.word = word;
    word += range.size;
  }
  return found;
}

}  // namespace

uint32_t CounterRanges::word_of(AtomicOp rule, uint32_t counter) const {
  const CounterRange& range = *std::ranges::find(ranges, rule, &CounterRange::rule);
  return range.word + counter - range.first;
}

CounterRanges counters_of(const Kernel& kernel, const Task& task) {
  return ranges_of(kernel, std::array{task.prologue, task.body, task.epilogue});
}

CounterRanges routine_counters(const Kernel& kernel) {
  std::vector<BlockId> bodies;
  for (const Routine& routine : kernel.routines) bodies.push_back(routine.body);
  return ranges_of(kernel, bodies);
}

}  // namespace qd::ir
