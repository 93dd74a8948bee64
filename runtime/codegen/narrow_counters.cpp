#include "runtime/codegen/narrow_counters.h"

namespace qd::codegen {

using ir::Type;

namespace {

/// Looks at Counts in a block and the blocks in it. `in_loop`: they may run many times in an iteration.
void find_counts(const ir::Kernel& kernel, ir::BlockId block, bool in_loop, std::set<uint32_t>& narrow,
                 std::set<uint32_t>& wide) {
  if (block == ir::BlockId::None) return;
  for (ir::InstId id : kernel[block]) {
    const ir::Inst& inst = kernel[id];
    if (ir::combine_rule(inst.op) == ir::AtomicOp::Add) {
      const ir::Inst& amount = kernel[kernel.operands_of(inst)[0]];
      const bool is_one = amount.type == Type::U1 || (amount.op == ir::Op::Const && amount.imm <= 1);
      (is_one && !in_loop ? narrow : wide).insert(inst.aux);
    }
    const bool loop = inst.op == ir::Op::For || inst.op == ir::Op::Loop;
    for (ir::BlockId inner : inst.blocks) find_counts(kernel, inner, in_loop || loop, narrow, wide);
  }
}

}  // namespace

std::set<uint32_t> narrow_counters(const ir::Kernel& kernel, const ir::Task& task) {
  std::set<uint32_t> narrow, wide;
  for (ir::BlockId block : {task.prologue, task.body, task.epilogue}) find_counts(kernel, block, false, narrow, wide);
  for (const ir::Routine& routine : kernel.routines) find_counts(kernel, routine.body, true, narrow, wide);
  for (uint32_t counter : wide) narrow.erase(counter);
  return narrow;
}

}  // namespace qd::codegen
