// Control flow that lanes take differently: masks instead of jumps, and jumps around what no lane takes.
#include <algorithm>

#include "runtime/codegen/cpu/lane_emitter.h"

namespace qd::codegen {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using llvm::Value;

namespace {

/// Largest number of instructions of an arm for which a jump around it costs more than its work.
constexpr size_t kShortArm = 6;

bool is_empty(const ir::Kernel& kernel, BlockId block) { return block == BlockId::None || kernel[block].empty(); }

}  // namespace

/// Whether an arm may run without an active lane, and is cheap: it computes, and changes variables that vary.
bool LaneEmitter::is_short(BlockId block) const {
  const std::vector<InstId>& arm = kernel_[block];
  if (arm.size() > kShortArm) return false;
  return std::ranges::all_of(arm, [&](InstId id) {
    const ir::Inst& inst = kernel_[id];
    switch (inst.op) {
      case Op::Const:
      case Op::Compare:
      case Op::BitCast:
      case Op::Select: return true;
      case Op::Unary: return ir::row(inst.unary_op()).cost == ir::Cost::Cheap;
      case Op::Binary: return ir::row(inst.binary_op()).cost == ir::Cost::Cheap;
      case Op::Count: return kernel_[kernel_.operands_of(id)[0]].op == Op::Const;
      case Op::Load:
      case Op::Store: {
        const auto places = places_.find(kernel_.operands_of(id)[0]);
        return places != places_.end() && places->second.kind == LanePlaces::Kind::Slots;
      }
      default: return false;
    }
  });
}

/// Emits an arm for the lanes of a mask. Gives those that come to its end.
Value* LaneEmitter::emit_arm(BlockId block, Value* mask) {
  if (is_empty(kernel_, block)) return mask;
  set_mask(mask);
  ++partly_;
  if (is_short(block)) {
    emit_block(block);
    --partly_;
    return mask;
  }
  llvm::BasicBlock* arm = new_block("arm");
  llvm::BasicBlock* done = new_block("arm.done");
  b_.CreateCondBr(any(mask), arm, done);
  b_.SetInsertPoint(arm);
  emit_block(block);
  --partly_;
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
  return divergence_->narrows(block) ? this->mask() : mask;
}

void LaneEmitter::emit_lane_if(const ir::Inst& inst) {
  Value* all = mask();
  Value* condition = as_mask(lanes_of(kernel_.operands_of(inst)[0]));
  Value* yes = b_.CreateAnd(all, condition);
  Value* no = b_.CreateAnd(all, b_.CreateNot(condition));
  Value* left = emit_arm(inst.blocks[0], yes);
  Value* others = emit_arm(inst.blocks[1], no);
  set_mask(left == yes && others == no ? all : b_.CreateOr(left, others));
}

/// Break and Continue: the active lanes leave the block.
void LaneEmitter::emit_lane_jump(const ir::Inst& inst) {
  if (inst.op == Op::Continue && !continued_.empty()) {
    llvm::AllocaInst* waiting = continued_.back();
    b_.CreateStore(b_.CreateOr(b_.CreateLoad(waiting->getAllocatedType(), waiting), mask()), waiting);
  }
  set_mask(llvm::Constant::getNullValue(mask_->getAllocatedType()));
}

/// Emits the body of a loop that lanes leave one after the other. Behind it the mask has those that go on.
void LaneEmitter::emit_lane_body(BlockId body) {
  llvm::Type* type = mask_->getAllocatedType();
  continued_.push_back(local(type, "continued"));
  b_.CreateStore(llvm::Constant::getNullValue(type), continued_.back());
  ++partly_;
  emit_block(body);
  --partly_;
  set_mask(b_.CreateOr(mask(), b_.CreateLoad(type, continued_.back())));
  continued_.pop_back();
}

void LaneEmitter::emit_lane_loop(const ir::Inst& inst) {
  llvm::BasicBlock* loop = new_block("loop");
  llvm::BasicBlock* done = new_block("loop.done");
  Value* all = mask();
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  emit_lane_body(inst.blocks[0]);
  b_.CreateCondBr(any(mask()), loop, done);
  b_.SetInsertPoint(done);
  set_mask(all);
}

/// Emits a For of one axis. Where its begin is uniform, so is its index: lanes that have left do not ask for it.
void LaneEmitter::emit_lane_for(InstId id, const ir::Inst& inst) {
  const InstId begin = kernel_.operands_of(inst)[0], end = kernel_.operands_of(inst)[1];
  const ir::Type counts = kernel_[begin].type;
  const bool together = divergence_->is_uniform(begin);
  const auto bound = [&](InstId each) { return together ? value(each) : lanes_of(each); };
  Value* all = mask();
  llvm::AllocaInst* place = local(bound(begin)->getType(), "index");
  Value* last = lanes_of(end);
  b_.CreateStore(bound(begin), place);
  llvm::BasicBlock* header = new_block("for");
  llvm::BasicBlock* inside = new_block("for.body");
  llvm::BasicBlock* done = new_block("for.done");
  b_.CreateBr(header);

  b_.SetInsertPoint(header);
  Value* index = b_.CreateLoad(place->getAllocatedType(), place);
  Value* going = b_.CreateAnd(
      mask(), as_mask(arithmetic_.compare(ir::CompareOp::Lt, counts, together ? splat(index) : index, last)));
  set_mask(going);
  b_.CreateCondBr(any(going), inside, done);

  b_.SetInsertPoint(inside);
  if (together) {
    indices_[id].assign(1, b_.CreateIntCast(index, b_.getInt64Ty(), ir::is_signed(counts)));
  } else {
    lane_indices_[id] = index;
  }
  emit_lane_body(inst.blocks[0]);
  b_.CreateStore(b_.CreateAdd(index, llvm::ConstantInt::get(index->getType(), 1)), place);
  b_.CreateBr(header);

  b_.SetInsertPoint(done);
  set_mask(all);
}

}  // namespace qd::codegen
