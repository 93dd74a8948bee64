// Sums and other reductions into one place: a thread gathers its own in a register, until the exit of the task
// (gathered.cpp).
#include "runtime/codegen/gpu/emitter.h"

namespace qd::codegen::gpu {

using ir::AtomicOp;
using ir::Type;
using llvm::Value;

void Emitter::begin_reductions(const ir::Task& task) {
  for (const auto& [key, reduction] : fixed_reductions(kernel_, task)) {
    llvm::Type* type = arithmetic_.type(reduction.type);
    llvm::AllocaInst* own = local(type, "gathered");
    entry_.CreateStore(identity(type, reduction.op, ir::is_signed(reduction.type)), own);
    reductions_.emplace(key, Reduction{reduction, own});
  }
}

/// Emits an atomic that belongs to a reduction. False for other atomics, of which nothing is emitted.
bool Emitter::gather(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const std::optional<ReductionKey> key = reduction_key(kernel_, kernel_[operands[0]]);
  auto found = key ? reductions_.find(*key) : reductions_.end();
  if (found == reductions_.end()) return false;
  llvm::AllocaInst* own = found->second.own;
  Value* sum = b_.CreateLoad(own->getAllocatedType(), own);
  b_.CreateStore(arithmetic_.atomic_result(inst.atomic_op(), inst.type, sum, value(operands[1])), own);
  return true;
}

/// Emits atomics besides those of reductions: those of an epilogue, where each thread changes the same place.
bool Emitter::emit_own_atomic(const ir::Inst& inst, const MemoryOperand& place) {
  if (place.kind == ir::Op::Alloca || place.kind == ir::Op::Shared) return false;
  if (gather(inst)) return true;
  const std::optional<AtomicOp> op = gathered(inst.atomic_op());
  if (!in_epilogue_ || may_fail_ || !meet_at_exit_ || !op || ir::bit_width(inst.type) < 32) return false;
  Value* sum = over_subgroup(*op, inst.type, value(kernel_.operands_of(inst)[1]));
  when(elected(), [&] { arithmetic_.atomic_rmw(inst.atomic_op(), inst.type, place.address, sum); });
  return true;
}

std::vector<Emitter::Gathered> Emitter::gathered_reductions() {
  std::vector<Gathered> all;
  for (auto& [key, reduction] : reductions_) {
    const Type type = reduction.type;
    Value* own = b_.CreateLoad(reduction.own->getAllocatedType(), reduction.own);
    llvm::Type* bits = b_.getIntNTy(static_cast<unsigned>(ir::bit_width(type)));
    Value* nothing = b_.CreateBitCast(identity(own->getType(), reduction.op, ir::is_signed(type)), bits);
    // Without a gathered value, even a NaN has to stay as it is.
    Value* changes = b_.CreateICmpNE(b_.CreateBitCast(own, bits), nothing);
    all.push_back({reduction.op, type, own, changes, [this, type, &reduction](Value* sum) {
                     const ir::Inst& place = kernel_[reduction.place];
                     for (ir::InstId index : kernel_.operands_of(place))
                       values_[index] = arithmetic_.constant(kernel_[index].type, kernel_[index].imm);
                     arithmetic_.atomic_rmw(reduction.op, type, place_address(place), sum);
                   }});
  }
  return all;
}

}  // namespace qd::codegen::gpu
