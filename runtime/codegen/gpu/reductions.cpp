// Sums and other reductions into one place: a thread gathers its own in a register, a subgroup combines them, and one
// of its threads changes the place.
#include "runtime/codegen/gpu/emitter.h"

namespace qd::codegen::gpu {

using ir::AtomicOp;
using ir::Type;
using llvm::Value;

/// Combines the gathered values of a subgroup's lanes; right in lane 0 only. All lanes must be here.
Value* Emitter::over_subgroup(AtomicOp op, Type type, Value* own) {
  const uint32_t size = hardware_.subgroup_size();
  const bool whole = group_size_ % size == 0;
  // The last subgroup of a group may have fewer lanes.
  Value* lanes = nullptr;
  if (!whole) {
    Value* first = b_.CreateSub(hardware_.thread(b_), lane());
    lanes = b_.CreateSub(b_.getInt32(group_size_), first);
  }
  for (uint32_t distance = size / 2; distance > 0; distance /= 2) {
    if (distance >= group_size_) continue;
    Value* from = b_.CreateAdd(lane(), b_.getInt32(distance));
    Value* sum = arithmetic_.atomic_result(op, type, own, moved(nullptr, type, own, from));
    own = whole ? sum : b_.CreateSelect(b_.CreateICmpULT(from, lanes), sum, own);
  }
  return own;
}

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

void Emitter::flush_reductions() {
  for (auto& [key, reduction] : reductions_) {
    const Type type = reduction.type;
    Value* own = b_.CreateLoad(reduction.own->getAllocatedType(), reduction.own);
    llvm::Type* bits = b_.getIntNTy(static_cast<unsigned>(ir::bit_width(type)));
    Value* nothing = b_.CreateBitCast(identity(own->getType(), reduction.op, ir::is_signed(type)), bits);
    // Without a gathered value, even a NaN has to stay as it is.
    Value* changes = b_.CreateICmpNE(b_.CreateBitCast(own, bits), nothing);
    if (meet_at_exit_) {
      Value* some = b_.CreateICmpNE(hardware_.ballot(b_, Lanes::All, changes), b_.getInt64(0));
      own = over_subgroup(reduction.op, type, own);
      changes = b_.CreateAnd(some, elected());
    }
    when(changes, [&] {
      const ir::Inst& place = kernel_[reduction.place];
      for (ir::InstId index : kernel_.operands_of(place))
        values_[index] = arithmetic_.constant(kernel_[index].type, kernel_[index].imm);
      arithmetic_.atomic_rmw(reduction.op, type, place_address(place), own);
    });
  }
}

}  // namespace qd::codegen::gpu
