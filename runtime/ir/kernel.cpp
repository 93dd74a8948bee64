// Adds instructions to the flat arrays of a kernel.
#include "runtime/ir/kernel.h"

#include <algorithm>

#include "runtime/ir/walk.h"

namespace qd::ir {

InstId Kernel::add(Inst inst, std::span<const InstId> args) {
  inst.operand_begin = static_cast<uint32_t>(operands.size());
  inst.operand_count = static_cast<uint16_t>(args.size());
  if (!args.empty() && args.data() >= operands.data() && args.data() < operands.data() + operands.size()) {
    // `args` may be a view of another instruction's operands, which the insertion may move.
    std::vector<InstId> copy(args.begin(), args.end());
    operands.insert(operands.end(), copy.begin(), copy.end());
  } else {
    operands.insert(operands.end(), args.begin(), args.end());
  }
  insts.push_back(inst);
  return static_cast<InstId>(insts.size() - 1);
}

CounterRange counters_of(const Kernel& kernel, const Task& task, Op op) {
  uint32_t first = UINT32_MAX, last = 0;
  for (BlockId block : {task.prologue, task.body, task.epilogue}) {
    walk(kernel, block, [&](InstId id) {
      if (kernel[id].op != op) return;
      first = std::min(first, kernel[id].aux);
      last = std::max(last, kernel[id].aux);
    });
  }
  return first > last ? CounterRange{} : CounterRange{first, last - first + 1};
}

}  // namespace qd::ir
