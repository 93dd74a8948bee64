// Instructions and control flow.
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <stdexcept>

#include "runtime/codegen/llvm/function_emitter.h"

namespace qd::codegen {

namespace {

/// Length from which an array is zeroed by a call: LLVM takes a store of an array apart.
constexpr uint32_t kLongArray = 64;

}  // namespace

using ir::Op;
using ir::Type;
using llvm::Value;

FunctionEmitter::FunctionEmitter(const ir::Kernel& kernel, llvm::Function* function, const Options& options)
    : kernel_(kernel),
      function_(function),
      b_(function->getContext()),
      entry_(function->getContext()),
      arithmetic_(b_, options.fast_math) {
  function_->setDoesNotThrow();
  llvm::BasicBlock* entry = new_block("entry");
  llvm::BasicBlock* start = new_block("start");
  exit_ = new_block("exit");
  b_.SetInsertPoint(entry);
  entry_.SetInsertPoint(b_.CreateBr(start));
  b_.SetInsertPoint(start);
  if (options.fast_math) {
    // NaN and infinity keep their meaning, because programs test for them.
    llvm::FastMathFlags flags;
    flags.setAllowReassoc();
    flags.setAllowContract(true);
    flags.setAllowReciprocal();
    flags.setNoSignedZeros();
    flags.setApproxFunc();
    b_.setFastMathFlags(flags);
  }
  const auto is_power = [](const ir::Inst& inst) {
    return inst.op == Op::Binary && inst.binary_op() == ir::BinaryOp::Pow && ir::is_float(inst.type);
  };
  if (std::ranges::any_of(kernel.insts, is_power)) arithmetic_.choose_extrema();
  find_single_stores();
}

void FunctionEmitter::branch(llvm::BasicBlock* target) {
  if (!ended()) b_.CreateBr(target);
}

void FunctionEmitter::emit_block(ir::BlockId block) {
  for (ir::InstId id : kernel_[block]) {
    if (ended()) return;
    emit_inst(id);
  }
}

Value* FunctionEmitter::load(Type type, const MemoryOperand& place, bool is_volatile) {
  llvm::LoadInst* load = b_.CreateAlignedLoad(arithmetic_.memory_type(type), place.address,
                                              llvm::Align(ir::size_in_bytes(type)), is_volatile);
  annotate(load, place);
  return arithmetic_.from_memory(type, load);
}

void FunctionEmitter::store(Type type, const MemoryOperand& place, Value* value) {
  annotate(
      b_.CreateAlignedStore(arithmetic_.to_memory(type, value), place.address, llvm::Align(ir::size_in_bytes(type))),
      place);
}

void FunctionEmitter::emit_inst(ir::InstId id) {
  const ir::Inst& inst = kernel_[id];
  auto operands = kernel_.operands_of(inst);
  auto operand = [&](size_t i) { return value(operands[i]); };
  auto operand_type = [&](size_t i) { return kernel_[operands[i]].type; };
  inst_begins(inst);
  switch (inst.op) {
    case Op::Const: values_[id] = arithmetic_.constant(inst.type, inst.imm); return;
    case Op::Arg: values_[id] = parameter(inst.aux); return;
    case Op::Shape: values_[id] = array_shape(inst.aux, inst.axis()); return;
    case Op::LoopIndex:
      values_[id] = b_.CreateTrunc(indices_.at(inst.aux_inst())[inst.axis()], arithmetic_.type(inst.type));
      return;
    case Op::Iteration: values_[id] = iteration(); return;
    case Op::Unary:
    case Op::Binary:
    case Op::Compare:
    case Op::Cast:
    case Op::BitCast:
    case Op::Select:
    case Op::Pick:
    case Op::StopGrad:
    case Op::Fma: {
      llvm::SmallVector<Value*, 4> values;
      for (size_t i = 0; i < operands.size(); ++i) values.push_back(operand(i));
      values_[id] = computed(inst, values);
      return;
    }
    case Op::Random: values_[id] = arithmetic_.random(inst.type, random_state()); return;
    case Op::Clock: values_[id] = b_.CreateIntrinsic(llvm::Intrinsic::readcyclecounter, {}, {}); return;
    case Op::Alloca: {
      // A variable starts with zero in each iteration; storing a zero also tells LLVM that the old value is dead.
      llvm::Type* type = arithmetic_.memory_type(inst.type);
      if (inst.length() > 0) type = llvm::ArrayType::get(type, inst.length());
      llvm::AllocaInst* place = local(type, "local");
      if (inst.length() > kLongArray) {
        b_.CreateMemSet(place, b_.getInt8(0), inst.length() * static_cast<uint64_t>(ir::size_in_bytes(inst.type)),
                        place->getAlign());
      } else {
        b_.CreateStore(llvm::Constant::getNullValue(type), place);
      }
      operands_[id] = {place, Op::Alloca, 0};
      return;
    }
    case Op::GlobalTemp:
    case Op::ElementPtr: operands_[id] = {place_address(inst), inst.op, inst.aux}; return;
    case Op::LocalPtr: operands_[id] = local_element(inst); return;
    case Op::Load: values_[id] = load(inst.type, operands_.at(operands[0])); return;
    case Op::VolatileLoad: values_[id] = load(inst.type, operands_.at(operands[0]), true); return;
    case Op::Store: store(operand_type(1), operands_.at(operands[0]), operand(1)); return;
    case Op::AtomicRmw:
    case Op::AtomicCas: emit_atomic(id, inst); return;
    case Op::Claim: values_[id] = claim(inst, operands_.at(operands[0]).address); return;
    case Op::If: emit_if(inst); return;
    case Op::Region: throw std::logic_error("a region is left in a task");
    case Op::Loop: emit_loop(id, inst); return;
    case Op::For: emit_for(id, inst); return;
    case Op::Break: b_.CreateBr(loops_.back().broken); return;
    case Op::Continue: b_.CreateBr(loops_.back().next); return;
    case Op::Return: emit_return(inst); return;
    case Op::Call: emit_call(id, inst); return;
    case Op::CallResult: values_[id] = b_.CreateExtractValue(value(inst.aux_inst()), inst.result()); return;
    case Op::CallArg: values_[id] = call_argument(inst.aux); return;
    case Op::StackLeft: values_[id] = stack_left(); return;
    case Op::Fence: emit_fence(inst.scope()); return;
    case Op::Shared: operands_[id] = {in_block(id, inst), Op::Shared, 0}; return;
    case Op::Thread:
    case Op::Lane:
    case Op::Barrier:
    case Op::Shuffle:
    case Op::Ballot:
    case Op::Together:
    case Op::Dispatch: values_[id] = in_block(id, inst); return;
    case Op::Assert:
    case Op::Warn: emit_assert(inst); return;
    case Op::Print: emit_print(inst); return;
    case Op::Message: operands_[id] = {in_block(id, inst), Op::Message, 0}; return;
    case Op::Leave:
      if (is_routine_) b_.CreateStore(operand(0), results_.back());
      b_.CreateBr(failed());
      return;
    case Op::Probe:
    case Op::Watch:
    case Op::Condition:
    case Op::Decide: return;  // lowered by now, or nothing measures
    case Op::Count:
    case Op::Record:
    case Op::Maximum: emit_count(inst); return;
    case Op::Hit: emit_hit(inst); return;
  }
}

Value* FunctionEmitter::computed(const ir::Inst& inst, llvm::ArrayRef<Value*> operands) {
  auto operand_type = [&](size_t i) { return kernel_[kernel_.operands_of(inst)[i]].type; };
  switch (inst.op) {
    case Op::Unary: return arithmetic_.unary(inst.unary_op(), operand_type(0), inst.type, operands[0]);
    case Op::Binary: return arithmetic_.binary(inst.binary_op(), inst.type, operands[0], operands[1]);
    case Op::Compare: return arithmetic_.compare(inst.compare_op(), operand_type(0), operands[0], operands[1]);
    case Op::Cast: return arithmetic_.cast(operand_type(0), inst.type, operands[0]);
    case Op::BitCast: return b_.CreateBitCast(operands[0], Arithmetic::like(operands[0], arithmetic_.type(inst.type)));
    case Op::Select: return b_.CreateSelect(operands[0], operands[1], operands[2]);
    case Op::Pick: return arithmetic_.pick(operands[0], operands.drop_front());
    case Op::StopGrad: return operands[0];
    case Op::Fma: return arithmetic_.fma(operands[0], operands[1], operands[2]);
    default: return nullptr;
  }
}

Value* FunctionEmitter::in_block(ir::InstId, const ir::Inst&) {
  throw std::logic_error("a loop over blocks of threads is not cut at its barriers");
}

void FunctionEmitter::emit_wrong(const ir::Inst&, llvm::BasicBlock*) { throw std::logic_error("a message is left"); }
void FunctionEmitter::emit_print(const ir::Inst&) { throw std::logic_error("a message is left"); }

void FunctionEmitter::emit_fence(ir::Scope) { b_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent); }

void FunctionEmitter::emit_atomic(ir::InstId id, const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const MemoryOperand& place = operands_.at(operands[0]);
  if (inst.op == Op::AtomicCas) {
    values_[id] = arithmetic_.atomic_cas(inst.type, place.address, value(operands[1]), value(operands[2]));
    return;
  }
  if (emit_own_atomic(id, inst, place)) return;
  auto op = inst.atomic_op();
  if (place.kind != Op::Alloca) {
    values_[id] = arithmetic_.atomic_rmw(op, inst.type, place.address, value(operands[1]));
    return;
  }
  Value* old = load(inst.type, place);
  store(inst.type, place, arithmetic_.atomic_result(op, inst.type, old, value(operands[1])));
  values_[id] = old;
}

void FunctionEmitter::emit_if(const ir::Inst& inst) {
  llvm::BasicBlock* merge = new_block("endif");
  llvm::BasicBlock* arms[2];
  for (int i = 0; i < 2; ++i)
    arms[i] = inst.blocks[i] == ir::BlockId::None || kernel_[inst.blocks[i]].empty()
                  ? merge
                  : new_block(i == 0 ? "then" : "else");
  auto leaves = [&](int i) { return arms[i] != merge && kernel_[kernel_[inst.blocks[i]].back()].op == Op::Leave; };
  llvm::MDBuilder metadata(b_.getContext());
  llvm::MDNode* weights = leaves(0)   ? metadata.createBranchWeights(1, 1000000)
                          : leaves(1) ? metadata.createBranchWeights(1000000, 1)
                                      : nullptr;
  b_.CreateCondBr(value(kernel_.operands_of(inst)[0]), arms[0], arms[1], weights);
  for (int i = 0; i < 2; ++i) {
    if (arms[i] == merge) continue;
    b_.SetInsertPoint(arms[i]);
    emit_block(inst.blocks[i]);
    branch(merge);
  }
  b_.SetInsertPoint(merge);
}

void FunctionEmitter::emit_loop(ir::InstId id, const ir::Inst& inst) {
  LoopBlocks loop_blocks;
  loop_blocks.next = new_block("loop");
  loop_blocks.broken = new_block("loop.done");
  loop_blocks.failed = failed();
  b_.CreateBr(loop_blocks.next);
  b_.SetInsertPoint(loop_blocks.next);
  loops_.push_back(loop_blocks);
  loop_begins(id, nullptr);
  emit_block(inst.blocks[0]);
  branch(loop_blocks.next);
  loop_ends(id, nullptr);
  loops_.pop_back();
  b_.SetInsertPoint(loop_blocks.broken);
}

void FunctionEmitter::emit_for(ir::InstId id, const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const uint32_t axes = static_cast<uint32_t>(operands.size() / 2);
  indices_[id].resize(axes);
  std::vector<Range> ranges;
  for (uint32_t axis = 0; axis < axes; ++axis) {
    const Type counts = kernel_[operands[2 * axis]].type;
    auto wide = [&](ir::InstId bound) {
      return b_.CreateIntCast(value(bound), b_.getInt64Ty(), ir::is_signed(counts));
    };
    ranges.push_back({wide(operands[2 * axis]), wide(operands[2 * axis + 1]), counts});
  }
  // The loops of the outer axes; the innermost axis has the body.
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
    b_.CreateCondBr(below(ranges[axis], loop.index), inside, loop.done);
    b_.SetInsertPoint(inside);
    outer.push_back(loop);
  }
  emit_axis(id, axes - 1, ranges.back(), inst.blocks[0], after);
  while (!outer.empty()) {
    Outer loop = outer.back();
    outer.pop_back();
    loop.index->addIncoming(plus(ranges[outer.size()], loop.index, b_.getInt64(1)), b_.GetInsertBlock());
    b_.CreateBr(loop.header);
    b_.SetInsertPoint(loop.done);
  }
  if (after) {
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }
}

void FunctionEmitter::emit_axis(ir::InstId loop, uint32_t axis, Range range, ir::BlockId body,
                                llvm::BasicBlock* broken) {
  llvm::BasicBlock* header = new_block("for");
  llvm::BasicBlock* inside = new_block("for.body");
  llvm::BasicBlock* next = new_block("for.next");
  llvm::BasicBlock* done = new_block("for.done");
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::Instruction* entry = b_.CreateBr(header);
  const LoopBlocks loop_blocks{next, broken ? new_block("for.broken") : done, new_block("for.failed")};
  llvm::BasicBlock* outer_failed = failed();

  b_.SetInsertPoint(header);
  llvm::PHINode* index = b_.CreatePHI(b_.getInt64Ty(), 2);
  index->addIncoming(range.begin, before);
  b_.CreateCondBr(below(range, index), inside, done);

  b_.SetInsertPoint(inside);
  indices_[loop][axis] = index;
  loops_.push_back(loop_blocks);
  loop_begins(loop, entry);
  emit_block(body);
  branch(next);
  loops_.pop_back();

  b_.SetInsertPoint(next);
  index->addIncoming(plus(range, index, b_.getInt64(1)), next);
  loop_ends(loop, b_.CreateBr(header));

  if (loop_blocks.failed->use_empty()) {
    loop_blocks.failed->eraseFromParent();
  } else {
    b_.SetInsertPoint(loop_blocks.failed);
    loop_left();
    b_.CreateBr(outer_failed);
  }
  if (broken) {
    b_.SetInsertPoint(loop_blocks.broken);
    loop_left();
    b_.CreateBr(broken);
  }
  b_.SetInsertPoint(done);
  loop_left();
}

Value* FunctionEmitter::below(const Range& range, Value* index) {
  return range.is_signed() ? b_.CreateICmpSLT(index, range.end) : b_.CreateICmpULT(index, range.end);
}

Value* FunctionEmitter::plus(const Range& range, Value* index, Value* steps) {
  return b_.CreateAdd(index, steps, "", !range.is_signed(), range.is_signed());
}

FunctionEmitter::Range FunctionEmitter::part_of(const Range& range, Value* from, Value* to) {
  return {plus(range, range.begin, from), plus(range, range.begin, to), range.counts};
}

void FunctionEmitter::emit_assert(const ir::Inst& inst) {
  llvm::BasicBlock* wrong = new_block("assert");
  llvm::BasicBlock* held = new_block("assert.held");
  b_.CreateCondBr(value(kernel_.operands_of(inst)[0]), held, wrong,
                  llvm::MDBuilder(b_.getContext()).createBranchWeights(1000000, 1));
  b_.SetInsertPoint(wrong);
  emit_wrong(inst, held);
  b_.SetInsertPoint(held);
}

}  // namespace qd::codegen
