// Iterations as lanes: values, masks, counters.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "runtime/codegen/cpu/lane_emitter.h"
#include "runtime/ir/counters.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {

using ir::AtomicOp;
using ir::InstId;
using ir::Op;
using llvm::Value;

void LaneEmitter::emit_lanes(const passes::Divergence& divergence, const LaneShape& shape, uint32_t axis, Range strip,
                             const ir::Task& task) {
  divergence_ = &divergence;
  lanes_ = shape.lanes;
  mask_ = local(vector_of(b_.getIntNTy(shape.mask_bits)), "mask");
  used_.clear();
  offsets_.clear();
  ir::walk(kernel_, task.body, [&](InstId id) {
    const auto operands = kernel_.operands_of(id);
    used_.insert(operands.begin(), operands.end());
  });
  find_components(task.body);
  find_early_loads(task);
  loop_ = task.loop;
  axis_ = axis;
  indices_[loop_][axis] = strip.begin;
  Value* iterations = b_.CreateTrunc(b_.CreateSub(strip.end, strip.begin), b_.getInt32Ty());
  set_mask(as_mask(b_.CreateICmpULT(steps(b_.getInt32Ty(), 1), splat(iterations))));
  begin_lane_random();
  begin_early_loads();
  partly_ = divergence.narrows(task.body);
  emit_block(task.body);
  divergence_ = nullptr;
}

/// Emits a block. What stands behind an If by which lanes leave runs only if some are left.
void LaneEmitter::emit_block(ir::BlockId block) {
  if (!divergence_) {
    FunctionEmitter::emit_block(block);
    return;
  }
  const ir::BlockId around = std::exchange(block_, block);
  llvm::BasicBlock* end = nullptr;
  for (InstId id : kernel_[block]) {
    if (ended()) break;
    if (record_stores_ && !passes_record_stores(id)) end_record_stores();
    if (!lane_atomics_.empty() && !passes_lane_atomics(id)) end_lane_atomics();
    emit_lane_inst(id);
    const ir::Inst& inst = kernel_[id];
    const bool leaves = inst.op == Op::If && std::ranges::any_of(inst.blocks, [&](ir::BlockId arm) {
                          return arm != ir::BlockId::None && divergence_->narrows(arm);
                        });
    if (!leaves || ended() || id == kernel_[block].back()) continue;
    if (!end) end = new_block("lanes.left");
    llvm::BasicBlock* some = new_block("lanes");
    b_.CreateCondBr(any(mask()), some, end);
    b_.SetInsertPoint(some);
  }
  end_record_stores();
  end_lane_atomics();
  if (end) {
    branch(end);
    b_.SetInsertPoint(end);
  }
  block_ = around;
}

Value* LaneEmitter::mask() { return b_.CreateLoad(mask_->getAllocatedType(), mask_); }

Value* LaneEmitter::as_mask(Value* conditions) { return b_.CreateSExt(conditions, mask_->getAllocatedType()); }

Value* LaneEmitter::holds(Value* mask) {
  return mask->getType()->getScalarType()->isIntegerTy(1) ? mask : b_.CreateIsNeg(mask);
}

llvm::Constant* LaneEmitter::steps(llvm::Type* integer, int64_t step) {
  llvm::SmallVector<llvm::Constant*, 16> numbers;
  const llvm::APInt one(64, static_cast<uint64_t>(step));
  for (uint64_t lane = 0; lane < lanes_; ++lane)
    numbers.push_back(llvm::ConstantInt::get(integer, (one * lane).trunc(integer->getIntegerBitWidth())));
  return llvm::ConstantVector::get(numbers);
}

Value* LaneEmitter::lanes_of(InstId id) {
  const std::optional<int64_t> step = divergence_->step(id);
  if (!step) return vectors_.at(id);
  Value* all = splat(value(id));
  return *step == 0 ? all : b_.CreateAdd(all, steps(value(id)->getType(), *step));
}

void LaneEmitter::emit_lane_inst(InstId id) {
  const ir::Inst& inst = kernel_[id];
  switch (inst.op) {
    case Op::If:
      if (divergence_->diverges(id)) return emit_lane_if(inst);
      break;
    case Op::Loop:
      if (divergence_->diverges(id)) return emit_lane_loop(inst);
      break;
    case Op::For:
      if (divergence_->diverges(id)) return emit_lane_for(id, inst);
      break;
    case Op::Break:
    case Op::Continue:
      if (divergence_->narrows(block_)) return emit_lane_jump(inst);
      break;
    case Op::Alloca: return emit_variable(id, inst);
    case Op::ElementPtr: places_[id] = element_places(id, inst); return;
    case Op::LocalPtr: places_[id] = local_places(id, inst); return;
    case Op::GlobalTemp: places_[id] = {}; break;
    case Op::Load: return emit_lane_load(id, inst);
    case Op::Store: return emit_lane_store(id, inst);
    case Op::AtomicRmw: return emit_lane_atomic(id, inst);
    case Op::Random: return emit_lane_random(id, inst);
    case Op::Call: return emit_lane_call(id, inst);
    case Op::CallResult: {
      llvm::AllocaInst* result = results_.at(inst.aux_inst())[inst.result()];
      vectors_[id] = arithmetic_.from_memory(inst.type, b_.CreateLoad(result->getAllocatedType(), result));
      return;
    }
    case Op::Count:
    case Op::Record:
    case Op::Maximum: return emit_lane_count(inst);
    case Op::Hit:
    case Op::Probe:
    case Op::Watch:
    case Op::Condition:
    case Op::Decide: break;
    case Op::LoopIndex:
      if (divergence_->step(id)) break;
      vectors_[id] = lane_indices_.at(inst.aux_inst());
      return;
    default: {
      if (divergence_->step(id)) break;
      llvm::SmallVector<Value*, 4> operands;
      for (InstId operand : kernel_.operands_of(id)) operands.push_back(lanes_of(operand));
      vectors_[id] = computed(inst, operands);
      if (!vectors_[id]) throw std::logic_error("an operation that lanes do not have");
      return;
    }
  }
  emit_inst(id);
}

/// Counts the active lanes for which a condition holds, or adds up or combines their numbers.
void LaneEmitter::emit_lane_count(const ir::Inst& inst) {
  const AtomicOp rule = *ir::combine_rule(inst.op);
  const InstId operand = kernel_.operands_of(inst)[0];
  llvm::Type* word = b_.getInt64Ty();
  const auto count = [&](Value* lanes) {
    return b_.CreateZExt(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits(lanes)), word);
  };
  const bool is_uniform = divergence_->is_uniform(operand);
  Value* number = nullptr;
  if (rule == AtomicOp::Add && is_uniform) {
    const bool is_signed = ir::is_signed(kernel_[operand].type);
    number = b_.CreateMul(count(active()), b_.CreateIntCast(value(operand), word, is_signed));
  } else if (rule == AtomicOp::Add && kernel_[operand].type == ir::Type::U1) {
    number = count(b_.CreateAnd(active(), lanes_of(operand)));
  } else if (is_uniform) {
    number = b_.CreateZExt(value(operand), word);
  } else {
    number = reduced(rule, ir::Type::U64, b_.CreateZExt(lanes_of(operand), vector_of(word)));
  }
  combine_counter(rule, inst.aux, number);
}

}  // namespace qd::codegen
