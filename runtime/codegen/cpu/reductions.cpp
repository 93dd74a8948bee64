// Sums and other reductions into one place: each part of a parallel task gathers its own in a register, and adds it to
// the place once.
#include "runtime/codegen/cpu/task_emitter.h"

namespace qd::codegen {

using ir::AtomicOp;
using ir::InstId;
using llvm::Value;

void TaskEmitter::find_reductions() {
  for (const auto& [key, reduction] : passes::fixed_reductions(kernel_, task_)) {
    llvm::Type* type = arithmetic_.type(reduction.type);
    llvm::AllocaInst* own = local(type, "gathered");
    entry_.CreateStore(arithmetic_.neutral(reduction.op, reduction.type), own);
    reductions_.emplace(key, Reduction{reduction, own});
  }
}

bool TaskEmitter::is_reduction(InstId place) const {
  const std::optional<passes::ReductionKey> key = passes::reduction_key(kernel_, kernel_[place]);
  return key && reductions_.contains(*key);
}

/// Emits an atomic that belongs to a reduction. False for other atomics, of which nothing is emitted.
bool TaskEmitter::gather(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const ir::Inst& place = kernel_[operands[0]];
  const std::optional<passes::ReductionKey> key = passes::reduction_key(kernel_, place);
  auto found = key ? reductions_.find(*key) : reductions_.end();
  if (found == reductions_.end()) return false;
  llvm::AllocaInst* gathered = found->second.gathered;
  Value* sum = b_.CreateLoad(gathered->getAllocatedType(), gathered);
  const auto op = inst.atomic_op();
  Value* operand = value(operands[1]);
  if (ir::is_float(inst.type) && (op == AtomicOp::Min || op == AtomicOp::Max)) {
    // A NaN does not change a minimum or maximum. So the gathered value is never NaN, and the vectoriser needs to know
    // that.
    operand = b_.CreateSelect(b_.CreateFCmpUNO(operand, operand), arithmetic_.neutral(op, inst.type), operand);
    llvm::IRBuilder<>::FastMathFlagGuard guard(b_);
    llvm::FastMathFlags flags = b_.getFastMathFlags();
    flags.setNoNaNs();
    b_.setFastMathFlags(flags);
    b_.CreateStore(
        b_.CreateBinaryIntrinsic(op == AtomicOp::Min ? llvm::Intrinsic::minnum : llvm::Intrinsic::maxnum, sum, operand),
        gathered);
    return true;
  }
  b_.CreateStore(arithmetic_.atomic_result(op, inst.type, sum, operand), gathered);
  return true;
}

void TaskEmitter::flush_reductions() {
  for (auto& [key, reduction] : reductions_) {
    llvm::Type* type = reduction.gathered->getAllocatedType();
    llvm::Type* bits = b_.getIntNTy(type->getScalarSizeInBits());
    // The sum goes through memory here: the comparison below would otherwise keep the loop from being vectorised.
    llvm::AllocaInst* whole = local(type, "sum");
    b_.CreateStore(b_.CreateLoad(type, reduction.gathered), whole, /*isVolatile=*/true);
    Value* sum = b_.CreateLoad(type, whole, /*isVolatile=*/true);
    // Without a gathered value, even a NaN has to stay as it is.
    Value* nothing = b_.CreateBitCast(arithmetic_.neutral(reduction.op, reduction.type), bits);
    llvm::BasicBlock* add = new_block("gather");
    llvm::BasicBlock* done = new_block("gathered");
    b_.CreateCondBr(b_.CreateICmpNE(b_.CreateBitCast(sum, bits), nothing), add, done);
    b_.SetInsertPoint(add);
    const ir::Inst& place = kernel_[reduction.place];
    for (InstId index : kernel_.operands_of(place))
      values_[index] = arithmetic_.constant(kernel_[index].type, kernel_[index].imm);
    arithmetic_.atomic_rmw(reduction.op, reduction.type, place_address(place), sum);
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  }
}

}  // namespace qd::codegen
