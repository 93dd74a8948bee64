// Atomics of a subgroup at one place. The gradient of a number that all iterations read, such as a weight, is a sum
// over them: all lanes add to the same element at the same time, and the memory takes one after the other.
//
//   for i in x:
//     for j in range(n):
//       w.grad[j] += x[i, j]       # the same element for all i
//
// Lanes that find each other at one place combine their values, and one of them changes the memory. Code for it is
// there where the index does not depend on the thread. Threads of a loop may have parted, so each time they look who is
// here, and where.
#include <algorithm>

#include "runtime/codegen/gpu/emitter.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/fixed_reductions.h"

namespace qd::codegen::gpu {

using ir::InstId;
using ir::Op;
using llvm::Value;

void Emitter::note_used_atomics(ir::BlockId block) {
  ir::walk(kernel_, block, [&](ir::InstId id) {
    for (const ir::InstId operand : kernel_.operands_of(id)) {
      if (kernel_[operand].op == ir::Op::AtomicRmw) used_atomics_.insert(operand);
    }
  });
}

/// Whether a value is the same for all threads in the same iteration of the loops around it.
bool Emitter::is_alike(InstId id) {
  if (const auto known = alike_.find(id); known != alike_.end()) return known->second;
  const ir::Inst& inst = kernel_[id];
  auto operands_are = [&] {
    return std::ranges::all_of(kernel_.operands_of(inst), [&](InstId operand) { return is_alike(operand); });
  };
  bool alike = false;
  switch (inst.op) {
    case Op::Const:
    case Op::Arg:
    case Op::Shape: alike = true; break;
    case Op::LoopIndex: alike = is_alike(inst.aux_inst()); break;
    case Op::For:
    case Op::ElementPtr: alike = operands_are(); break;
    case Op::Load: alike = kernel_[kernel_.operands_of(inst)[0]].op == Op::ElementPtr && operands_are(); break;
    default: alike = ir::is_pure(inst.op) && operands_are(); break;
  }
  return alike_[id] = alike;
}

/// Emits an atomic whose value nothing uses for a place that is alike. False: nothing was emitted.
bool Emitter::emit_alike_atomic(InstId id, const ir::Inst& inst, const MemoryOperand& place) {
  const uint32_t size = hardware_.subgroup_size();
  const auto operands = kernel_.operands_of(inst);
  const ir::AtomicOp op = inst.atomic_op();
  if (is_routine_ || group_size_ % size != 0 || place.kind != Op::ElementPtr || passes::gathered(op) != op ||
      ir::bit_width(inst.type) < 32 || used_atomics_.contains(id) || !is_alike(operands[0]))
    return false;
  llvm::Type* word = b_.getInt64Ty();
  Value* here = hardware_.ballot(b_, Lanes::Some, b_.getTrue());
  Value* address = b_.CreatePtrToInt(place.address, word);
  Value* of_first = moved(here, ir::Type::U64, address, b_.getInt32(0));
  Value* same = hardware_.ballot(b_, Lanes::Some, b_.CreateICmpEQ(address, of_first));
  Value* together =
      b_.CreateICmpEQ(b_.CreateAnd(here, same), b_.getInt64(size == 64 ? UINT64_MAX : (1ull << size) - 1));
  llvm::BasicBlock *all = new_block("together"), *each = new_block("each"), *done = new_block("added");
  b_.CreateCondBr(together, all, each);
  b_.SetInsertPoint(all);
  Value* sum = over_subgroup(op, inst.type, value(operands[1]));
  when(elected(), [&] { arithmetic_.atomic_rmw(op, inst.type, place.address, sum); });
  b_.CreateBr(done);
  b_.SetInsertPoint(each);
  arithmetic_.atomic_rmw(op, inst.type, place.address, value(operands[1]));
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
  return true;
}

}  // namespace qd::codegen::gpu
