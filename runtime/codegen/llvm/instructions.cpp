// Instructions and control flow of a task's body.
#include <algorithm>

#include <llvm/IR/MDBuilder.h>

#include "runtime/codegen/llvm/task_emitter.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {

using ir::Op;
using ir::Type;
using llvm::Value;

namespace {

/// Nested loops with more iterations than these keep accumulators of their own. Times kStrip it stays below 2^32.
constexpr uint64_t kMaxKnownTrips = 128;

}  // namespace

void TaskEmitter::branch(llvm::BasicBlock* target) {
  if (!ended()) b_.CreateBr(target);
}

void TaskEmitter::emit_block(ir::BlockId block) {
  for (ir::InstId id : kernel_[block]) {
    if (ended()) return;
    emit_inst(id);
  }
}

Value* TaskEmitter::load(Type type, const Place& place) {
  llvm::LoadInst* load = b_.CreateAlignedLoad(arithmetic_.memory_type(type), place.address, llvm::Align(ir::size_in_bytes(type)));
  annotate(load, place);
  return arithmetic_.from_memory(type, load);
}

void TaskEmitter::store(Type type, const Place& place, Value* value) {
  annotate(b_.CreateAlignedStore(arithmetic_.to_memory(type, value), place.address, llvm::Align(ir::size_in_bytes(type))), place);
}

void TaskEmitter::emit_inst(ir::InstId id) {
  const ir::Inst& inst = kernel_[id];
  auto operands = kernel_.operands_of(inst);
  auto operand = [&](size_t i) { return value(operands[i]); };
  auto operand_type = [&](size_t i) { return kernel_[operands[i]].type; };
  switch (inst.op) {
    case Op::Const: values_[id] = arithmetic_.constant(inst.type, inst.imm); return;
    case Op::Arg: values_[id] = parameter(inst.aux); return;
    case Op::Shape: values_[id] = array_shape(inst.aux, inst.axis()); return;
    case Op::LoopIndex: values_[id] = b_.CreateTrunc(indices_.at(inst.aux_inst())[inst.axis()], b_.getInt32Ty()); return;
    case Op::Iteration: values_[id] = iteration(); return;
    case Op::Unary: values_[id] = arithmetic_.unary(inst.unary_op(), operand_type(0), inst.type, operand(0)); return;
    case Op::Binary: values_[id] = arithmetic_.binary(inst.binary_op(), inst.type, operand(0), operand(1)); return;
    case Op::Compare: values_[id] = arithmetic_.compare(inst.compare_op(), operand_type(0), operand(0), operand(1)); return;
    case Op::Cast: values_[id] = arithmetic_.cast(operand_type(0), inst.type, operand(0)); return;
    case Op::BitCast: values_[id] = b_.CreateBitCast(operand(0), arithmetic_.type(inst.type)); return;
    case Op::Select: values_[id] = b_.CreateSelect(operand(0), operand(1), operand(2)); return;
    case Op::Random: values_[id] = arithmetic_.random(inst.type, thread_); return;
    case Op::Alloca: {
      // Nothing of the iteration before may be seen: a zero ends the old value's life.
      llvm::Type* type = arithmetic_.memory_type(inst.type);
      if (inst.length() > 0) type = llvm::ArrayType::get(type, inst.length());
      llvm::AllocaInst* place = local(type, "local");
      b_.CreateStore(llvm::Constant::getNullValue(type), place);
      places_[id] = {place, Op::Alloca, 0};
      return;
    }
    case Op::GlobalTemp: case Op::ElementPtr: places_[id] = {place_address(inst), inst.op, inst.aux}; return;
    case Op::LocalPtr: places_[id] = local_element(inst); return;
    case Op::Load: values_[id] = load(inst.type, places_.at(operands[0])); return;
    case Op::Store: store(operand_type(1), places_.at(operands[0]), operand(1)); return;
    case Op::AtomicRmw: case Op::AtomicCas: emit_atomic(id, inst); return;
    case Op::If: emit_if(inst); return;
    case Op::Loop: emit_loop(inst); return;
    case Op::For: emit_for(id, inst); return;
    case Op::Break: b_.CreateBr(frames_.back().broken); return;
    case Op::Continue: b_.CreateBr(frames_.back().next); return;
    case Op::Return: emit_return(inst); return;
    case Op::Call: emit_call(id, inst); return;
    case Op::CallResult: values_[id] = call_result(inst); return;
    case Op::CallArg: values_[id] = function_->getArg(2 + inst.aux); return;
    case Op::StackLeft: values_[id] = stack_left(); return;
    case Op::Assert: case Op::Warn: emit_assert(inst); return;
    case Op::Print: emit_print(inst); return;
    case Op::Probe: case Op::Condition: case Op::Decide: return;  // lowered, or nobody measures
    case Op::Count: emit_count(inst); return;
    case Op::Record: emit_record(inst); return;
    case Op::Mark: emit_mark(inst); return;
  }
}

void TaskEmitter::emit_atomic(ir::InstId id, const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const Place& place = places_.at(operands[0]);
  if (inst.op == Op::AtomicCas) {
    values_[id] = arithmetic_.atomic_cas(inst.type, place.address, value(operands[1]), value(operands[2]));
    return;
  }
  if (gather(inst) || change_private(inst, place)) return;
  auto op = inst.atomic_op();
  if (place.kind != Op::Alloca) {
    values_[id] = arithmetic_.atomic_rmw(op, inst.type, place.address, value(operands[1]));
    return;
  }
  Value* old = load(inst.type, place);
  store(inst.type, place, arithmetic_.atomic_result(op, inst.type, old, value(operands[1])));
  values_[id] = old;
}

void TaskEmitter::emit_if(const ir::Inst& inst) {
  llvm::BasicBlock* merge = new_block("endif");
  llvm::BasicBlock* arms[2];
  for (int i = 0; i < 2; ++i) arms[i] = inst.blocks[i] == ir::BlockId::None || kernel_[inst.blocks[i]].empty() ? merge : new_block(i == 0 ? "then" : "else");
  b_.CreateCondBr(value(kernel_.operands_of(inst)[0]), arms[0], arms[1]);
  for (int i = 0; i < 2; ++i) {
    if (arms[i] == merge) continue;
    b_.SetInsertPoint(arms[i]);
    emit_block(inst.blocks[i]);
    branch(merge);
  }
  b_.SetInsertPoint(merge);
}

void TaskEmitter::emit_loop(const ir::Inst& inst) {
  Frame frame;
  frame.next = new_block("loop");
  frame.broken = new_block("loop.done");
  frame.failed = failed();
  b_.CreateBr(frame.next);
  b_.SetInsertPoint(frame.next);
  frames_.push_back(frame);
  emit_block(inst.blocks[0]);
  branch(frame.next);
  frames_.pop_back();
  b_.SetInsertPoint(frame.broken);
}

void TaskEmitter::emit_for(ir::InstId id, const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const uint32_t axes = static_cast<uint32_t>(operands.size() / 2);
  indices_[id].resize(axes);
  std::vector<Range> ranges;
  for (uint32_t axis = 0; axis < axes; ++axis) {
    ranges.push_back({b_.CreateSExt(value(operands[2 * axis]), b_.getInt64Ty()), b_.CreateSExt(value(operands[2 * axis + 1]), b_.getInt64Ty())});
  }
  // The outer axes; the innermost one carries the body.
  struct Outer {
    llvm::BasicBlock* header;
    llvm::PHINode* index;
    llvm::BasicBlock* done;
  };
  std::vector<Outer> outer;
  llvm::BasicBlock* after = axes > 1 ? new_block("for.after") : nullptr;
  for (uint32_t axis = 0; axis + 1 < axes; ++axis) {
    llvm::BasicBlock* before = b_.GetInsertBlock();
    Outer loop{new_block("for"), nullptr, new_block("for.done")};
    llvm::BasicBlock* inside = new_block("for.body");
    b_.CreateBr(loop.header);
    b_.SetInsertPoint(loop.header);
    loop.index = b_.CreatePHI(b_.getInt64Ty(), 2);
    loop.index->addIncoming(ranges[axis].begin, before);
    indices_[id][axis] = loop.index;
    b_.CreateCondBr(b_.CreateICmpSLT(loop.index, ranges[axis].end), inside, loop.done);
    b_.SetInsertPoint(inside);
    outer.push_back(loop);
  }
  // Small loops are unrolled into the vector loop around them, and so are their counts.
  const uint64_t trips = frames_.empty() ? 0 : uint64_t{frames_.back().trips} * known_trips(inst);
  emit_axis(id, axes - 1, ranges.back(), inst.blocks[0], after, trips <= kMaxKnownTrips ? static_cast<uint32_t>(trips) : 0);
  while (!outer.empty()) {
    Outer loop = outer.back();
    outer.pop_back();
    loop.index->addIncoming(b_.CreateNSWAdd(loop.index, b_.getInt64(1)), b_.GetInsertBlock());
    b_.CreateBr(loop.header);
    b_.SetInsertPoint(loop.done);
  }
  if (after) {
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }
}

/// The product of the extents when all bounds are constants; 0 when they are not known, or many.
uint32_t TaskEmitter::known_trips(const ir::Inst& loop) const {
  uint64_t product = 1;
  auto operands = kernel_.operands_of(loop);
  for (size_t i = 0; i + 1 < operands.size(); i += 2) {
    const ir::Inst& begin = kernel_[operands[i]];
    const ir::Inst& end = kernel_[operands[i + 1]];
    if (begin.op != Op::Const || end.op != Op::Const) return 0;
    const int64_t extent = end.integer() - begin.integer();
    product *= static_cast<uint64_t>(std::clamp<int64_t>(extent, 0, static_cast<int64_t>(kMaxKnownTrips) + 1));
    if (product > kMaxKnownTrips) return 0;
  }
  return static_cast<uint32_t>(product);
}

bool TaskEmitter::needs_strips() const {
  bool found = std::ranges::any_of(count_places_, [](const auto& counted) { return counted.second > 1; });
  ir::walk(kernel_, task_.body, [&](ir::InstId id) {
    if (kernel_[id].op != Op::For || known_trips(kernel_[id]) == 0) return;
    ir::walk(kernel_, kernel_[id].blocks[0], [&](ir::InstId inner) { found = found || kernel_[inner].op == Op::Count; });
  });
  return found;
}

void TaskEmitter::emit_count(const ir::Inst& inst) {
  ir::InstId operand = kernel_.operands_of(inst)[0];
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value(operand));
  const uint64_t largest = kernel_[operand].type == Type::U1 ? 1 : constant ? constant->getLimitedValue() : UINT64_MAX;
  const uint32_t places = count_places_.at(inst.aux);
  const uint32_t trips = frames_.empty() ? 0 : frames_.back().trips;
  const bool short_sum = (places == 1 && largest <= 1) || (trips > 0 && largest <= kMaxKnownTrips / trips / places);
  const bool narrow = !frames_.empty() && frames_.back().entry && short_sum;
  size_t depth = frames_.size();
  while (narrow && depth >= 2 && frames_[depth - 1].trips > 0) --depth;  // a known loop counts where the loop around it does
  llvm::Type* type = narrow ? b_.getInt32Ty() : b_.getInt64Ty();
  llvm::AllocaInst*& accumulator = narrow ? frames_[depth - 1].narrow[inst.aux] : counters_[inst.aux];
  if (!accumulator) {
    accumulator = local(type, narrow ? "narrow" : "count");
    // A wide one starts with the task, a narrow one with its loop.
    llvm::Instruction* start = narrow ? frames_[depth - 1].entry : function_->getEntryBlock().getTerminator();
    llvm::IRBuilder<>(start).CreateStore(llvm::Constant::getNullValue(type), accumulator);
  }
  Value* amount = b_.CreateIntCast(value(operand), type, ir::is_signed(kernel_[operand].type));
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(type, accumulator), amount), accumulator);
}

void TaskEmitter::emit_record(const ir::Inst& inst) {
  Value* bits = value(kernel_.operands_of(inst)[0]);
  llvm::AllocaInst*& gathered = records_[inst.aux];
  if (!gathered) {
    gathered = local(bits->getType(), "record");
    llvm::IRBuilder<>(function_->getEntryBlock().getTerminator()).CreateStore(llvm::Constant::getNullValue(bits->getType()), gathered);
  }
  llvm::Type* type = gathered->getAllocatedType();
  b_.CreateStore(b_.CreateOr(b_.CreateLoad(type, gathered), b_.CreateZExtOrTrunc(bits, type)), gathered);
}

void TaskEmitter::emit_mark(const ir::Inst& inst) {
  Value* buffer = context_field(offsetof(LaunchContext, counters), b_.getPtrTy());
  b_.CreateStore(b_.getInt64(1), b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), buffer, inst.aux));
}

void TaskEmitter::flush_narrow(const Frame& frame) {
  llvm::Type* word = b_.getInt64Ty();
  for (auto [counter, narrow] : frame.narrow) {
    llvm::AllocaInst*& wide = counters_[counter];
    if (!wide) {
      wide = local(word, "count");
      llvm::IRBuilder<>(function_->getEntryBlock().getTerminator()).CreateStore(b_.getInt64(0), wide);
    }
    Value* sum = b_.CreateZExt(b_.CreateLoad(b_.getInt32Ty(), narrow), word);
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(word, wide), sum), wide);
  }
}

void TaskEmitter::emit_assert(const ir::Inst& inst) {
  llvm::BasicBlock* wrong = new_block("assert");
  llvm::BasicBlock* right = new_block("assert.held");
  b_.CreateCondBr(value(kernel_.operands_of(inst)[0]), right, wrong, llvm::MDBuilder(b_.getContext()).createBranchWeights(1000000, 1));
  b_.SetInsertPoint(wrong);
  llvm::Type* pointer = b_.getPtrTy();
  const bool goes_on = inst.op == Op::Warn;
  Value* fail = context_field(goes_on ? offsetof(LaunchContext, warn) : offsetof(LaunchContext, fail), pointer);
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, b_.getInt32Ty(), pointer}, false);
  b_.CreateCall(type, fail, {context_, b_.getInt32(inst.aux), format_values(inst, 1)});
  if (!goes_on) note_failure();
  b_.CreateBr(goes_on ? right : failed());
  b_.SetInsertPoint(right);
}

void TaskEmitter::emit_print(const ir::Inst& inst) {
  llvm::Type* pointer = b_.getPtrTy();
  Value* print = context_field(offsetof(LaunchContext, print), pointer);
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, b_.getInt32Ty(), pointer}, false);
  b_.CreateCall(type, print, {context_, b_.getInt32(inst.aux), format_values(inst, 0)});
}

}  // namespace qd::codegen
