// Sums and other reductions into one place: a thread adds what it has gathered at the exit of the task (gathered.cpp),
// not in the epilogue.
#include "runtime/codegen/gpu/emitter.h"
#include "runtime/passes/fixed_reductions.h"

namespace qd::codegen::gpu {

using ir::Type;
using llvm::Value;

/// Emits an atomic of an epilogue, where each thread changes the same place, or one of a loop.
bool Emitter::emit_own_atomic(ir::InstId id, const ir::Inst& inst, const MemoryOperand& place) {
  if (!in_epilogue_) return emit_alike_atomic(id, inst, place);
  if (place.kind == ir::Op::Alloca || passes::gathered(inst.atomic_op()) != inst.atomic_op() ||
      ir::bit_width(inst.type) < 32)
    return false;
  auto operands = kernel_.operands_of(inst);
  llvm::AllocaInst* own = local(arithmetic_.type(inst.type), "gathered");
  entry_.CreateStore(arithmetic_.neutral(inst.atomic_op(), inst.type), own);
  b_.CreateStore(value(operands[1]), own);
  reductions_.push_back({inst.atomic_op(), operands[0], own});
  return true;
}

std::vector<Emitter::Gathered> Emitter::gathered_reductions() {
  std::vector<Gathered> all;
  for (const Reduction& reduction : reductions_) {
    const ir::Inst& place = kernel_[reduction.place];
    const Type type = place.type;
    Value* own = b_.CreateLoad(reduction.own->getAllocatedType(), reduction.own);
    llvm::Type* bits = b_.getIntNTy(static_cast<unsigned>(ir::bit_width(type)));
    Value* nothing = b_.CreateBitCast(arithmetic_.neutral(reduction.op, type), bits);
    // Without a gathered value, even a NaN has to stay as it is.
    Value* changes = b_.CreateICmpNE(b_.CreateBitCast(own, bits), nothing);
    all.push_back({reduction.op, type, own, changes, [this, &reduction, &place](Value* sum) {
                     arithmetic_.atomic_rmw(reduction.op, place.type, place_address(place), sum);
                   }});
  }
  return all;
}

}  // namespace qd::codegen::gpu
