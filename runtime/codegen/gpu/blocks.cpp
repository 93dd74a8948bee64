// Threads of a block: shared variables, barriers, and the values of other threads of a subgroup.
#include "runtime/codegen/gpu/emitter.h"

namespace qd::codegen::gpu {

using ir::Op;
using ir::Type;
using llvm::Value;

Value* Emitter::in_block(ir::InstId id, const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const Lanes lanes = by_all_.contains(id) ? Lanes::All : Lanes::Some;
  switch (inst.op) {
    case Op::Shared: {
      llvm::Type* type = arithmetic_.memory_type(inst.type);
      if (inst.length() > 0) type = llvm::ArrayType::get(type, inst.length());
      return shared_variable(type);
    }
    case Op::Thread: return hardware_.thread(b_);
    case Op::Lane: return lane();
    case Op::Dispatch: return dispatch(inst.dispatch());
    case Op::Message: return b_.CreateInBoundsGEP(arithmetic_.type(inst.type), messages(), value(operands[0]));
    case Op::Barrier: hardware_.barrier(b_, lanes, inst.scope()); return nullptr;
    case Op::Shuffle: return shuffle(lanes, inst.type, value(operands[0]), value(operands[1]));
    case Op::Ballot: return hardware_.ballot(b_, lanes, value(operands[0]));
    case Op::Together: {
      // A thread sees those of its subgroup. Whether another subgroup has gone another way, it cannot tell.
      if (lanes == Lanes::All || !hardware_.knows_lanes() || !threads_stay_) return b_.getTrue();
      Value* here = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, hardware_.ballot(b_, lanes, b_.getTrue()));
      return b_.CreateICmpEQ(here, b_.CreateZExt(lanes_of_subgroup(), b_.getInt64Ty()));
    }
    default: return FunctionEmitter::in_block(id, inst);
  }
}

Value* Emitter::dispatch(ir::Dispatch number) {
  switch (number) {
    case ir::Dispatch::Group: return hardware_.group(b_);
    case ir::Dispatch::Thread: return hardware_.thread(b_);
    case ir::Dispatch::GroupStride: return argument(kGroupStride);
    case ir::Dispatch::Step: return argument(kStep);
    case ir::Dispatch::Rounds: return argument(kRounds);
  }
  return nullptr;
}

/// A variable of the group.
llvm::GlobalVariable* Emitter::shared_variable(llvm::Type* type) {
  auto* variable = new llvm::GlobalVariable(shared_.llvm_module, type, false, llvm::GlobalValue::InternalLinkage,
                                            llvm::PoisonValue::get(type), "shared", nullptr,
                                            llvm::GlobalValue::NotThreadLocal, kBlockMemory);
  variable->setAlignment(llvm::Align(8));  // atomic operations on small numbers change whole words
  return variable;
}

Value* Emitter::lane() { return b_.CreateAnd(hardware_.thread(b_), b_.getInt32(hardware_.subgroup_size() - 1)); }

/// Number of threads of this subgroup: the last one of a group may have fewer.
Value* Emitter::lanes_of_subgroup() {
  Value* size = b_.getInt32(hardware_.subgroup_size());
  if (group_size_ % hardware_.subgroup_size() == 0) return size;
  Value* before = b_.CreateSub(hardware_.thread(b_), lane());
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, size, b_.CreateSub(b_.getInt32(group_size_), before));
}

/// Shuffle of a value of any type. A lane that is not there, or not here, gives the thread's own value.
Value* Emitter::shuffle(Lanes lanes, Type type, Value* value, Value* from) {
  const uint32_t size = hardware_.subgroup_size();
  Value* own = lane();
  Value* source = b_.CreateSelect(b_.CreateICmpULT(from, b_.getInt32(size)), from, own);
  Value* here = nullptr;
  if (lanes == Lanes::Some || group_size_ % size != 0) {
    here = hardware_.ballot(b_, lanes, b_.getTrue());
    Value* bit = b_.CreateLShr(here, b_.CreateZExt(source, b_.getInt64Ty()));
    source = b_.CreateSelect(b_.CreateTrunc(bit, b_.getInt1Ty()), source, own);
  }
  return moved(here, type, value, source);
}

/// Shuffle of a value by words of 32 bits, which the hardware moves.
Value* Emitter::moved(Value* here, Type type, Value* value, Value* from) {
  const auto width = static_cast<unsigned>(ir::bit_width(type));
  llvm::Type* number = b_.getInt32Ty();
  Value* bits = b_.CreateBitCast(value, b_.getIntNTy(width));
  if (width <= 32) {
    Value* word = hardware_.shuffle(b_, here, b_.CreateZExtOrTrunc(bits, number), from);
    return b_.CreateBitCast(b_.CreateZExtOrTrunc(word, bits->getType()), value->getType());
  }
  Value* low = hardware_.shuffle(b_, here, b_.CreateTrunc(bits, number), from);
  Value* high = hardware_.shuffle(b_, here, b_.CreateTrunc(b_.CreateLShr(bits, 32), number), from);
  Value* upper = b_.CreateShl(b_.CreateZExt(high, b_.getInt64Ty()), 32);
  return b_.CreateBitCast(b_.CreateOr(upper, b_.CreateZExt(low, b_.getInt64Ty())), value->getType());
}

}  // namespace qd::codegen::gpu
