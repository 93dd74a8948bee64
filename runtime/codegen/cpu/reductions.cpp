// Sums and other reductions into one place: each part of a parallel task gathers its own in a register, and adds it to
// the place once.
#include <set>

#include "runtime/codegen/cpu/task_emitter.h"
#include "runtime/ir/calls.h"

namespace qd::codegen {

using ir::AtomicOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using llvm::Value;

std::optional<AtomicOp> gathered(AtomicOp op) {
  switch (op) {
    case AtomicOp::Sub: return AtomicOp::Add;
    case AtomicOp::Add:
    case AtomicOp::Min:
    case AtomicOp::Max:
    case AtomicOp::And:
    case AtomicOp::Or:
    case AtomicOp::Xor: return op;
    case AtomicOp::Mul:
    case AtomicOp::Exchange: return std::nullopt;
  }
  return std::nullopt;
}

llvm::Constant* identity(llvm::Type* type, AtomicOp op, bool is_signed) {
  const bool is_float = type->isFloatingPointTy();
  const unsigned width = type->getScalarSizeInBits();
  switch (op) {
    case AtomicOp::Min:
      if (is_float) return llvm::ConstantFP::getInfinity(type);
      return llvm::ConstantInt::get(
          type, is_signed ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width));
    case AtomicOp::Max:
      if (is_float) return llvm::ConstantFP::getInfinity(type, /*Negative=*/true);
      return llvm::ConstantInt::get(
          type, is_signed ? llvm::APInt::getSignedMinValue(width) : llvm::APInt::getMinValue(width));
    case AtomicOp::And: return llvm::ConstantInt::getAllOnesValue(type);
    case AtomicOp::Add:
    case AtomicOp::Sub:
    case AtomicOp::Or:
    case AtomicOp::Xor:
    case AtomicOp::Mul:
    case AtomicOp::Exchange:
      return is_float ? llvm::ConstantFP::getNegativeZero(type) : llvm::Constant::getNullValue(type);
  }
  return nullptr;
}

/// The constant indices of an element; empty for a temp; nothing when an index is not constant.
std::optional<std::vector<int64_t>> TaskEmitter::fixed_element(const ir::Inst& place) const {
  std::vector<int64_t> element;
  if (place.op != Op::ElementPtr) return element;
  for (InstId index : kernel_.operands_of(place)) {
    if (kernel_[index].op != Op::Const) return std::nullopt;
    element.push_back(kernel_[index].integer());
  }
  return element;
}

/// Finds the reductions of the task: places that only one kind of atomic touches, and whose old values nobody reads.
void TaskEmitter::find_reductions() {
  if (task_.kind != ir::Task::Kind::Parallel) return;
  std::set<InstId> used;  // values that something reads
  std::set<ReductionKey> spoiled;
  std::set<std::pair<Op, uint32_t>> spoiled_arrays;  // arrays with an access whose element is not known
  std::map<Type, std::set<uint32_t>>
      fixed_parameters;  // parameters with a constant element that is also touched in another way
  auto visit = [&](auto&& each) {
    ir::walk(kernel_, task_.prologue, each);
    ir::walk(kernel_, task_.body, each);
  };
  visit([&](InstId id) {
    for (InstId operand : kernel_.operands_of(id)) used.insert(operand);
  });
  visit([&](InstId id) {
    const ir::Inst& inst = kernel_[id];
    if (!ir::accesses_memory(inst.op)) return;
    const ir::Inst& place = kernel_[kernel_.operands_of(inst)[0]];
    if (place.op != Op::ElementPtr && place.op != Op::GlobalTemp) return;
    const auto element = fixed_element(place);
    if (!element) {
      spoiled_arrays.insert({place.op, place.aux});
      return;
    }
    const ReductionKey key{place.op, place.aux, *element};
    std::optional<AtomicOp> op = inst.op == Op::AtomicRmw ? gathered(inst.atomic_op()) : std::nullopt;
    if (!op || used.contains(id) || ir::bit_width(inst.type) < 32) {
      spoiled.insert(key);
    } else {
      auto [reduction, is_new] =
          reductions_.try_emplace(key, Reduction{*op, inst.type, kernel_.operands_of(inst)[0], nullptr});
      if (is_new || reduction->second.op == *op) return;
      spoiled.insert(key);
    }
    if (place.op == Op::ElementPtr && kernel_.arrays[place.aux].kind == ir::Array::Kind::Parameter)
      fixed_parameters[place.type].insert(place.aux);
  });
  // A routine may touch any element, and any parameter of the same type may be the same memory.
  ir::walk_reached(kernel_, task_, [&](InstId id) {
    const ir::Inst& inst = kernel_[id];
    if (inst.op != Op::ElementPtr) return;
    spoiled_arrays.insert({inst.op, inst.aux});
    if (kernel_.arrays[inst.aux].kind != ir::Array::Kind::Parameter) return;
    for (uint32_t array = 0; array < kernel_.arrays.size(); ++array) {
      if (kernel_.arrays[array].kind == ir::Array::Kind::Parameter && kernel_.arrays[array].type == inst.type)
        spoiled_arrays.insert({inst.op, array});
    }
  });
  for (const ReductionKey& key : spoiled) reductions_.erase(key);
  std::erase_if(reductions_, [&](const auto& entry) {
    const ReductionKey& key = entry.first;
    if (spoiled_arrays.contains({key.op, key.slot})) return true;
    if (key.op != Op::ElementPtr || kernel_.arrays[key.slot].kind != ir::Array::Kind::Parameter) return false;
    // Two parameters may be the same memory. Then a single iteration may change an element through both. Elements that
    // differ from iteration to iteration do not matter: an iteration that touched the element of another would be a
    // race.
    auto fixed = fixed_parameters.find(entry.second.type);
    return fixed != fixed_parameters.end() && (fixed->second.size() > 1 || !fixed->second.contains(key.slot));
  });
  for (auto& [key, reduction] : reductions_) {
    llvm::Type* type = arithmetic_.type(reduction.type);
    reduction.gathered = local(type, "gathered");
    entry_.CreateStore(identity(type, reduction.op, ir::is_signed(reduction.type)), reduction.gathered);
  }
}

/// True when the atomic belongs to a reduction; then its code has been emitted.
bool TaskEmitter::gather(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const ir::Inst& place = kernel_[operands[0]];
  if (place.op != Op::ElementPtr && place.op != Op::GlobalTemp) return false;
  const auto element = fixed_element(place);
  auto found = element ? reductions_.find({place.op, place.aux, *element}) : reductions_.end();
  if (found == reductions_.end()) return false;
  llvm::AllocaInst* gathered = found->second.gathered;
  Value* sum = b_.CreateLoad(gathered->getAllocatedType(), gathered);
  const auto op = inst.atomic_op();
  Value* operand = value(operands[1]);
  if (ir::is_float(inst.type) && (op == AtomicOp::Min || op == AtomicOp::Max)) {
    // A NaN does not change a minimum or maximum. So the gathered value is never NaN, and the vectoriser needs to know
    // that.
    operand = b_.CreateSelect(b_.CreateFCmpUNO(operand, operand), identity(operand->getType(), op, true), operand);
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
    // When nothing was gathered, even a NaN has to stay as it is.
    Value* nothing = b_.CreateBitCast(identity(type, reduction.op, ir::is_signed(reduction.type)), bits);
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
