// Sums and other reductions into one place: each part of a parallel task gathers its own in a register, and adds it to the place once.
#include <set>

#include "runtime/codegen/llvm/task_emitter.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {

using ir::AtomicOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using llvm::Value;

namespace {

/// The operation whose results may be gathered in any order; Sub adds the negative.
std::optional<AtomicOp> gathered(AtomicOp op) {
  switch (op) {
    case AtomicOp::Sub: return AtomicOp::Add;
    case AtomicOp::Add: case AtomicOp::Min: case AtomicOp::Max: case AtomicOp::And: case AtomicOp::Or: case AtomicOp::Xor: return op;
    case AtomicOp::Mul: case AtomicOp::Exchange: return std::nullopt;
  }
  return std::nullopt;
}

llvm::Constant* identity(llvm::Type* type, AtomicOp op, bool is_signed) {
  const bool is_float = type->isFloatingPointTy();
  const unsigned width = type->getScalarSizeInBits();
  switch (op) {
    case AtomicOp::Min:
      if (is_float) return llvm::ConstantFP::getInfinity(type);
      return llvm::ConstantInt::get(type, is_signed ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width));
    case AtomicOp::Max:
      if (is_float) return llvm::ConstantFP::getInfinity(type, /*Negative=*/true);
      return llvm::ConstantInt::get(type, is_signed ? llvm::APInt::getSignedMinValue(width) : llvm::APInt::getMinValue(width));
    case AtomicOp::And: return llvm::ConstantInt::getAllOnesValue(type);
    case AtomicOp::Add: case AtomicOp::Sub: case AtomicOp::Or: case AtomicOp::Xor: case AtomicOp::Mul: case AtomicOp::Exchange:
      return is_float ? llvm::ConstantFP::getNegativeZero(type) : llvm::Constant::getNullValue(type);
  }
  return nullptr;
}

}  // namespace

/// Places of this task that only one kind of atomic touches, always at the same element, and whose old values nobody reads.
void TaskEmitter::find_reductions() {
  if (task_.kind != ir::Task::Kind::Parallel) return;
  std::set<InstId> used;                          // values that something reads
  std::set<ReductionKey> spoiled;
  std::map<ReductionKey, std::vector<int64_t>> elements;
  std::map<Type, int> parameters;
  for (const ir::Array& array : kernel_.arrays) parameters[array.type] += array.kind == ir::Array::Kind::Parameter;
  auto visit = [&](auto&& each) {
    ir::walk(kernel_, task_.prologue, each);
    ir::walk(kernel_, task_.body, each);
  };
  visit([&](InstId id) {
    for (InstId operand : kernel_.operands_of(id)) used.insert(operand);
  });
  visit([&](InstId id) {
    const ir::Inst& inst = kernel_[id];
    auto operands = kernel_.operands_of(inst);
    if (inst.op == Op::ElementPtr) {
      const ReductionKey key{inst.op, inst.aux};
      std::vector<int64_t> element;
      for (InstId index : operands) {
        if (kernel_[index].op != Op::Const) spoiled.insert(key);
        element.push_back(static_cast<int64_t>(kernel_[index].imm));
      }
      if (elements.try_emplace(key, element).first->second != element) spoiled.insert(key);
      // Two parameters may be the same memory.
      if (kernel_.arrays[inst.aux].kind == ir::Array::Kind::Parameter && parameters[inst.type] > 1) spoiled.insert(key);
    }
    if (inst.op != Op::Load && inst.op != Op::Store && inst.op != Op::AtomicRmw && inst.op != Op::AtomicCas) return;
    const ir::Inst& place = kernel_[operands[0]];
    if (place.op == Op::Alloca || place.op == Op::LocalPtr) return;
    const ReductionKey key{place.op, place.aux};
    std::optional<AtomicOp> op = inst.op == Op::AtomicRmw ? gathered(static_cast<AtomicOp>(inst.aux)) : std::nullopt;
    if (!op || used.contains(id) || (ir::bit_width(inst.type) < 32 && inst.type != Type::F16)) {
      spoiled.insert(key);
      return;
    }
    auto [reduction, is_new] = reductions_.try_emplace(key, Reduction{*op, inst.type, operands[0], nullptr});
    if (!is_new && reduction->second.op != *op) spoiled.insert(key);
  });
  for (const ReductionKey& key : spoiled) reductions_.erase(key);
  for (auto& [key, reduction] : reductions_) {
    llvm::Type* type = arithmetic_.type(reduction.type);
    reduction.gathered = local(type, "gathered");
    entry_.CreateStore(identity(type, reduction.op, ir::is_signed(reduction.type)), reduction.gathered);
  }
}

/// True when the atomic belongs to a reduction, and is done.
bool TaskEmitter::gather(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const ir::Inst& place = kernel_[operands[0]];
  auto found = reductions_.find({place.op, place.aux});
  if (found == reductions_.end()) return false;
  llvm::AllocaInst* gathered = found->second.gathered;
  Value* sum = b_.CreateLoad(gathered->getAllocatedType(), gathered);
  b_.CreateStore(arithmetic_.atomic_result(static_cast<AtomicOp>(inst.aux), inst.type, sum, value(operands[1])), gathered);
  return true;
}

void TaskEmitter::flush_reductions() {
  for (auto& [key, reduction] : reductions_) {
    llvm::Type* type = reduction.gathered->getAllocatedType();
    llvm::Type* bits = b_.getIntNTy(type->getScalarSizeInBits());
    Value* sum = b_.CreateLoad(type, reduction.gathered);
    // Nothing gathered must leave even a NaN as it is.
    Value* nothing = b_.CreateBitCast(identity(type, reduction.op, ir::is_signed(reduction.type)), bits);
    llvm::BasicBlock* add = new_block("gather");
    llvm::BasicBlock* done = new_block("gathered");
    b_.CreateCondBr(b_.CreateICmpNE(b_.CreateBitCast(sum, bits), nothing), add, done);
    b_.SetInsertPoint(add);
    const ir::Inst& place = kernel_[reduction.place];
    for (InstId index : kernel_.operands_of(place)) values_[index] = arithmetic_.constant(kernel_[index].type, kernel_[index].imm);
    arithmetic_.atomic_rmw(reduction.op, reduction.type, place_address(place), sum);
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  }
}

}  // namespace qd::codegen
