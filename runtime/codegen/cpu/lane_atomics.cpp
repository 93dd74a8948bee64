// Atomic operations of lanes: combined first where they meet at one place, else one lane after the other.
#include <algorithm>
#include <utility>

#include "runtime/codegen/cpu/lane_emitter.h"
#include "runtime/ir/same_memory.h"
#include "runtime/passes/fixed_reductions.h"

namespace qd::codegen {

using ir::AtomicOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using llvm::Value;

void LaneEmitter::emit_lane_atomic(InstId id, const ir::Inst& inst) {
  const auto operands = kernel_.operands_of(inst);
  const LanePlaces places = places_of(operands[0]);
  const bool one_place = places.kind == LanePlaces::Kind::Uniform;
  const Op memory = one_place ? operands_.at(operands[0]).kind : places.memory.kind;
  if (memory == Op::Alloca) {
    if (one_place) {
      emit_inst(id);
      return;
    }
    Value* old = load_lanes(inst.type, places);
    Value* now = arithmetic_.atomic_result(inst.atomic_op(), inst.type, old, lanes_of(operands[1]));
    store_lanes(inst.type, places, now, divergence_->reaches_all(block_, operands[0]));
    vectors_[id] = old;
    return;
  }
  const bool has_vector = places.kind == LanePlaces::Kind::Records || places.kind == LanePlaces::Kind::Steps;
  if (has_vector && divergence_->is_own(operands[0])) {
    vectors_[id] = load_lanes(inst.type, places);
    Value* now = arithmetic_.atomic_result(inst.atomic_op(), inst.type, vectors_[id], lanes_of(operands[1]));
    store_at(operands[0], inst.type, places, now);
    return;
  }
  const std::optional<AtomicOp> combined = passes::gathered(inst.atomic_op());
  // A minimum of NaN alone must leave the memory as it is, even if that is NaN; reductions see to it.
  const bool is_extremum = combined == AtomicOp::Min || combined == AtomicOp::Max;
  const bool exact = !is_extremum || !ir::is_float(inst.type) || is_reduction(operands[0]);
  if (one_place && combined && exact && !used_.contains(id)) {
    end_lane_atomics();
    Value* of_one = std::exchange(values_[operands[1]], reduced(*combined, inst.type, lanes_of(operands[1])));
    emit_lane_additions([&] { emit_inst(id); });
    values_[operands[1]] = of_one;
    return;
  }
  emit_lane_by_lane(id, inst);
}

void LaneEmitter::begin_lane_sums(const passes::Divergence& divergence, unsigned lanes, const ir::Task& task) {
  lanes_ = lanes;
  sums_.clear();
  if (task.prologue == ir::BlockId::None) return;
  for (InstId id : kernel_[task.prologue]) {
    const std::optional<AtomicOp> op = passes::epilogue_op(kernel_, task, id);
    if (!op || divergence.is_uniform(id)) continue;
    const Type type = kernel_[id].type;
    llvm::AllocaInst* place = local(vector_of(arithmetic_.memory_type(type)), "sums");
    b_.CreateStore(arithmetic_.to_memory(type, splat(arithmetic_.neutral(*op, type))), place);
    places_[id] = {LanePlaces::Kind::Slots, place, 0, {nullptr, Op::Alloca, 0}};
    sums_.push_back({id, *op, place});
  }
}

void LaneEmitter::end_lane_sums() {
  if (sums_.empty()) return;
  set_mask(llvm::Constant::getAllOnesValue(mask_->getAllocatedType()));
  for (const LaneSum& sum : sums_) {
    const Type type = kernel_[sum.variable].type;
    Value* all = arithmetic_.from_memory(type, b_.CreateLoad(sum.lanes->getAllocatedType(), sum.lanes));
    Value* place = operands_.at(sum.variable).address;
    Value* before = arithmetic_.from_memory(type, b_.CreateLoad(arithmetic_.memory_type(type), place));
    Value* total = arithmetic_.atomic_result(sum.op, type, before, reduced(sum.op, type, all));
    b_.CreateStore(arithmetic_.to_memory(type, total), place);
  }
}

Value* LaneEmitter::reduced(AtomicOp op, Type type, Value* vector) {
  vector = b_.CreateSelect(active(), vector, splat(arithmetic_.neutral(op, type)));
  for (unsigned half = lanes_ / 2; half > 0; half /= 2) {
    llvm::SmallVector<int, 16> upper;
    for (unsigned lane = 0; lane < lanes_; ++lane) upper.push_back(static_cast<int>((lane + half) % lanes_));
    vector = arithmetic_.atomic_result(op, type, vector, b_.CreateShuffleVector(vector, upper));
  }
  return b_.CreateExtractElement(vector, uint64_t{0});
}

/// Emits an atomic operation of one lane after the other. One whose value nothing uses waits for those behind it: the
/// lanes then take turns once for all of them.
void LaneEmitter::emit_lane_by_lane(InstId id, const ir::Inst& inst) {
  const auto operands = kernel_.operands_of(inst);
  LanePlaces places = places_of(operands[0]);
  const bool one_place = places.kind == LanePlaces::Kind::Uniform;
  const bool is_used = used_.contains(id);
  if (is_used) end_lane_atomics();
  llvm::AllocaInst* offsets = nullptr;
  if (!one_place) {
    places = anywhere(places);
    const auto same =
        std::ranges::find(lane_atomics_, places.offsets, [](const LaneAtomic& one) { return one.places.offsets; });
    offsets = same == lane_atomics_.end() ? kept(places.offsets) : same->offsets;
  }
  lane_atomics_.push_back({id, places, offsets, kept(arithmetic_.to_memory(inst.type, lanes_of(operands[1])))});
  if (!is_used) return;
  llvm::AllocaInst* results = kept(llvm::Constant::getNullValue(vector_of(arithmetic_.memory_type(inst.type))));
  end_lane_atomics(results);
  vectors_[id] = arithmetic_.from_memory(inst.type, b_.CreateLoad(results->getAllocatedType(), results));
}

/// Does the atomic operations that wait. `results`: for the value of the only one; null: nothing uses it.
void LaneEmitter::end_lane_atomics(llvm::AllocaInst* results) {
  if (lane_atomics_.empty()) return;
  const auto take_turns = [&] { for_each_lane([&](Value* lane) { emit_lane_turn(lane, results); }); };
  if (results) {
    take_turns();
  } else {
    emit_lane_additions(take_turns);
  }
  lane_atomics_.clear();
}

void LaneEmitter::emit_lane_turn(Value* lane, llvm::AllocaInst* results) {
  for (const LaneAtomic& atomic : lane_atomics_) {
    const ir::Inst& inst = kernel_[atomic.id];
    const auto operands = kernel_.operands_of(inst);
    if (atomic.offsets) {
      llvm::Type* word = atomic.places.offsets->getType()->getScalarType();
      Value* offset = b_.CreateLoad(word, element(atomic.offsets, lane));
      operands_[operands[0]] = atomic.places.memory;
      operands_[operands[0]].address = b_.CreateGEP(atomic.places.unit, atomic.places.address, offset);
    }
    Value* number = b_.CreateLoad(arithmetic_.memory_type(inst.type), element(atomic.numbers, lane));
    Value* of_one = std::exchange(values_[operands[1]], arithmetic_.from_memory(inst.type, number));
    emit_inst(atomic.id);
    values_[operands[1]] = of_one;
    if (results) b_.CreateStore(arithmetic_.to_memory(inst.type, value(atomic.id)), element(results, lane));
  }
}

/// Whether an instruction means the same in front of the atomic operations that wait.
bool LaneEmitter::passes_lane_atomics(InstId id) const {
  const ir::Inst& inst = kernel_[id];
  if (!ir::accesses_memory(inst.op)) return !ir::has_effect(inst.op, ~(ir::kHere | ir::kCounts));
  const InstId place = kernel_.operands_of(inst)[0];
  if (divergence_->is_variable(place)) return true;
  if (inst.op == Op::AtomicRmw) return !divergence_->is_own(place);
  if (inst.op != Op::Load && inst.op != Op::Store) return false;
  return std::ranges::all_of(lane_atomics_, [&](const LaneAtomic& atomic) {
    return !may_meet(kernel_[place], kernel_[kernel_.operands_of(atomic.id)[0]]);
  });
}

/// Whether two places of memory may be the same.
bool LaneEmitter::may_meet(const ir::Inst& place, const ir::Inst& other) const {
  if (place.op != Op::ElementPtr || other.op != Op::ElementPtr) return place.op == other.op;
  return ir::may_be_same_memory(kernel_, place.aux, other.aux);
}

llvm::AllocaInst* LaneEmitter::kept(Value* vector) {
  llvm::AllocaInst* place = local(vector->getType(), "lanes");
  b_.CreateStore(vector, place);
  return place;
}

Value* LaneEmitter::element(llvm::AllocaInst* kept, Value* lane) {
  return b_.CreateInBoundsGEP(kept->getAllocatedType()->getScalarType(), kept, lane);
}

void LaneEmitter::for_each_lane(llvm::function_ref<void(Value*)> body) {
  llvm::Type* word = b_.getInt64Ty();
  Value* all = b_.CreateZExt(bits(active()), word);
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* loop = new_block("lane");
  llvm::BasicBlock* done = new_block("lane.done");
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  llvm::PHINode* left = b_.CreatePHI(word, 2);
  left->addIncoming(all, before);
  body(b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, b_.getTrue()));
  Value* rest = b_.CreateAnd(left, b_.CreateSub(left, b_.getInt64(1)));
  left->addIncoming(rest, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateIsNotNull(rest), loop, done);
  b_.SetInsertPoint(done);
}

Value* LaneEmitter::first_lane() {
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, b_.CreateZExt(bits(active()), b_.getInt64Ty()), b_.getTrue());
}

Value* LaneEmitter::last_lane() {
  Value* lanes = b_.CreateZExt(bits(active()), b_.getInt64Ty());
  return b_.CreateSub(b_.getInt64(63), b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, lanes, b_.getTrue()));
}

}  // namespace qd::codegen
