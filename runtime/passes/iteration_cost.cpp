// Sums a cost for each instruction, with a guess for loops and calls.
#include "runtime/passes/iteration_cost.h"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/ir/calls.h"

namespace qd::passes {
namespace {

/// Guesses: iterations of a loop inside an iteration, and the cost of an instruction in tenths of nanoseconds.
constexpr int64_t kAssumedTrips = 16;
constexpr int64_t kInstCost = 3;
constexpr int64_t kLibraryCallCost = 30;
constexpr int64_t kMaxCost = 1'000'000'000;
/// Largest depth of calls that are followed. A func that calls another one twice, which calls another one twice, and so
/// on, would take for ever.
constexpr size_t kDeepestCost = 4;

/// `around`: the routines whose bodies are around this block. A routine that calls itself counts as a loop.
int64_t block_cost(const ir::Kernel& kernel, ir::BlockId block, std::vector<uint32_t>& around) {
  if (block == ir::BlockId::None) return 0;
  int64_t sum = 0;
  for (ir::InstId id : kernel[block]) {
    const ir::Inst& inst = kernel[id];
    if (ir::only_observes(inst.op)) continue;
    int64_t nested = block_cost(kernel, inst.blocks[0], around) + block_cost(kernel, inst.blocks[1], around);
    if (inst.op == ir::Op::Call && around.size() < kDeepestCost &&
        std::ranges::find(around, inst.aux) == around.end()) {
      around.push_back(inst.aux);
      const ir::BlockId body = kernel.routines[inst.aux].body;
      const bool recursive = ir::reached_routines(kernel, std::array{body})[inst.aux];
      nested += block_cost(kernel, body, around) * (recursive ? kAssumedTrips : 1);
      around.pop_back();
    }
    const bool loop = inst.op == ir::Op::For || inst.op == ir::Op::Loop;
    sum += kInstCost + (loop ? kAssumedTrips * nested : nested);
    if (inst.op == ir::Op::Unary && ir::row(inst.unary_op()).cost == ir::Cost::Library) sum += kLibraryCallCost;
  }
  return std::min(sum, kMaxCost);
}

}  // namespace

int64_t iteration_cost(const ir::Kernel& kernel, const ir::Task& task) {
  std::vector<uint32_t> around;
  return std::max<int64_t>(1, block_cost(kernel, task.body, around));
}

}  // namespace qd::passes
