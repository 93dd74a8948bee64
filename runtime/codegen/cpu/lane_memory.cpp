// Variables of lanes, and their accesses to memory: of one place, of places side by side, or of places anywhere.
#include <algorithm>
#include <utility>

#include "runtime/codegen/cpu/lane_emitter.h"

namespace qd::codegen {

using ir::InstId;
using ir::Op;
using ir::Type;
using llvm::Value;

/// A variable is one for all lanes, or a vector; an array, an array of vectors.
void LaneEmitter::emit_variable(InstId id, const ir::Inst& inst) {
  if (divergence_->is_uniform(id)) {
    places_[id] = {};
    emit_inst(id);
    return;
  }
  llvm::Type* type = vector_of(arithmetic_.memory_type(inst.type));
  if (inst.length() > 0) type = llvm::ArrayType::get(type, inst.length());
  llvm::AllocaInst* place = local(type, "local");
  if (inst.length() > 0) {
    b_.CreateMemSet(place, b_.getInt8(0), function_->getParent()->getDataLayout().getTypeAllocSize(type),
                    place->getAlign());
  } else {
    b_.CreateStore(llvm::Constant::getNullValue(type), place);
  }
  places_[id] = {LanePlaces::Kind::Slots, place, 0, {nullptr, Op::Alloca, 0}};
}

void LaneEmitter::emit_lane_load(InstId id, const ir::Inst& inst) {
  if (const std::optional<InstId> only = divergence_->only_value(id)) {
    if (divergence_->step(id)) {
      values_[id] = value(*only);
    } else {
      vectors_[id] = vectors_.at(*only);
    }
    return;
  }
  const LanePlaces places = places_of(kernel_.operands_of(id)[0]);
  if (early_loads_.contains(id)) {
    vectors_[id] = early_value(id);
  } else if (places.kind == LanePlaces::Kind::Uniform) {
    emit_inst(id);
  } else {
    vectors_[id] = load_lanes(inst.type, places);
  }
}

void LaneEmitter::emit_lane_store(InstId id, const ir::Inst& inst) {
  const auto operands = kernel_.operands_of(inst);
  const LanePlaces places = places_of(operands[0]);
  if (places.kind != LanePlaces::Kind::Uniform)
    return store_at(operands[0], kernel_[operands[1]].type, places, lanes_of(operands[1]));
  if (divergence_->is_uniform(operands[1])) return emit_inst(id);
  // Of several lanes that store to one place, the last one counts, as it does where they run one after the other.
  Value* last = b_.CreateExtractElement(lanes_of(operands[1]), last_lane());
  Value* of_one = std::exchange(values_[operands[1]], last);
  emit_inst(id);
  values_[operands[1]] = of_one;
}

void LaneEmitter::store_at(InstId place, Type type, const LanePlaces& places, Value* vector) {
  if (places.kind == LanePlaces::Kind::Records) return store_component(place, type, places, vector);
  store_lanes(type, places, vector, divergence_->reaches_all(block_, place));
}

LaneEmitter::LanePlaces LaneEmitter::places_of(InstId id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? LanePlaces{} : found->second;
}

Value* LaneEmitter::load_lanes(Type type, const LanePlaces& places) {
  if (places.kind == LanePlaces::Kind::Records) return load_component(type, places);
  if (places.pair) return load_of_pair(type, places);
  llvm::FixedVectorType* vector = vector_of(arithmetic_.memory_type(type));
  const llvm::Align align(static_cast<uint64_t>(ir::size_in_bytes(type)));
  if (places.kind != LanePlaces::Kind::Slots && !is_contiguous(type, places))
    return arithmetic_.from_memory(type, gathered(vector, align, anywhere(places)));
  llvm::Instruction* load = nullptr;
  if (places.kind == LanePlaces::Kind::Slots) {
    load = b_.CreateLoad(vector, places.address);
  } else {
    load = b_.CreateMaskedLoad(vector, places.address, align, active(), llvm::Constant::getNullValue(vector));
  }
  annotate(load, places.memory);
  return arithmetic_.from_memory(type, load);
}

/// Whether the elements of lanes lie side by side, and processors have masked accesses to such vectors.
bool LaneEmitter::is_contiguous(Type type, const LanePlaces& places) const {
  const int64_t size = ir::size_in_bytes(type);
  return places.kind == LanePlaces::Kind::Steps && places.distance == size && (has_mask_registers() || size >= 4);
}

/// Loads numbers from anywhere. Without mask registers by a load for each lane: LLVM would make a branch of each, and
/// instructions that gather take longer. Lanes that are not active then load what the first active one does.
Value* LaneEmitter::gathered(llvm::FixedVectorType* vector, llvm::Align align, const LanePlaces& places) {
  if (has_mask_registers()) {
    Value* addresses = b_.CreateGEP(places.unit, places.address, places.offsets);
    llvm::Instruction* load =
        b_.CreateMaskedGather(vector, addresses, align, active(), llvm::Constant::getNullValue(vector));
    annotate(load, places.memory);
    return load;
  }
  Value* first = splat(b_.CreateExtractElement(places.offsets, first_lane()));
  Value* offsets = b_.CreateSelect(active(), places.offsets, first);
  Value* numbers = llvm::PoisonValue::get(vector);
  for (uint64_t lane = 0; lane < lanes_; ++lane) {
    Value* address = b_.CreateGEP(places.unit, places.address, b_.CreateExtractElement(offsets, lane));
    llvm::Instruction* load = b_.CreateAlignedLoad(vector->getElementType(), address, align);
    annotate(load, places.memory);
    numbers = b_.CreateInsertElement(numbers, load, lane);
  }
  return numbers;
}

/// Stores a vector. `all`: to lanes that are not active, too.
void LaneEmitter::store_lanes(Type type, const LanePlaces& places, Value* vector, bool all) {
  const llvm::Align align(static_cast<uint64_t>(ir::size_in_bytes(type)));
  vector = arithmetic_.to_memory(type, vector);
  if (places.kind != LanePlaces::Kind::Slots && !is_contiguous(type, places))
    return scatter(vector, align, anywhere(places));
  if (places.kind == LanePlaces::Kind::Slots) {
    if (!all) vector = b_.CreateSelect(active(), vector, b_.CreateLoad(vector->getType(), places.address));
    llvm::Instruction* store = b_.CreateStore(vector, places.address);
    annotate(store, places.memory);
  } else {
    store_side_by_side(vector, places.address, align, active(), places.memory);
  }
}

/// Stores numbers of some lanes side by side. Processors without mask registers may take ten times as long for it as
/// for all numbers. So where only the last strip of iterations may have lanes that are not active, others store all.
/// `whole`: numbers of all lanes that are active in a whole strip are to be stored.
void LaneEmitter::store_side_by_side(Value* numbers, Value* address, llvm::Align align, Value* conditions,
                                     const MemoryOperand& memory, bool whole) {
  if (has_mask_registers() || !whole || !has_all_of_strip()) {
    annotate(b_.CreateMaskedStore(numbers, address, align, conditions), memory);
    return;
  }
  llvm::BasicBlock* all = new_block("all");
  llvm::BasicBlock* some = new_block("some");
  llvm::BasicBlock* done = new_block("stored");
  Value* every = b_.CreateICmpEQ(bits(active()), llvm::ConstantInt::getAllOnesValue(b_.getIntNTy(lanes_)));
  b_.CreateCondBr(every, all, some);
  b_.SetInsertPoint(all);
  annotate(b_.CreateAlignedStore(numbers, address, align), memory);
  b_.CreateBr(done);
  b_.SetInsertPoint(some);
  annotate(b_.CreateMaskedStore(numbers, address, align, conditions), memory);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

/// Stores numbers anywhere, those of later lanes last. Without mask registers, lanes that are not active store what the
/// last active one does.
void LaneEmitter::scatter(Value* numbers, llvm::Align align, const LanePlaces& places) {
  if (has_mask_registers()) {
    Value* addresses = b_.CreateGEP(places.unit, places.address, places.offsets);
    annotate(b_.CreateMaskedScatter(numbers, addresses, align, active()), places.memory);
    return;
  }
  Value* last = last_lane();
  const auto safe = [&](Value* of_lanes) {
    return b_.CreateSelect(active(), of_lanes, splat(b_.CreateExtractElement(of_lanes, last)));
  };
  Value* offsets = safe(places.offsets);
  numbers = safe(numbers);
  for (uint64_t lane = 0; lane < lanes_; ++lane) {
    Value* address = b_.CreateGEP(places.unit, places.address, b_.CreateExtractElement(offsets, lane));
    annotate(b_.CreateAlignedStore(b_.CreateExtractElement(numbers, lane), address, align), places.memory);
  }
}

/// Places at a constant distance, as those of an access anywhere.
LaneEmitter::LanePlaces LaneEmitter::anywhere(const LanePlaces& places) {
  if (places.kind == LanePlaces::Kind::Anywhere) return places;
  LanePlaces same{LanePlaces::Kind::Anywhere, places.address, 0, places.memory};
  same.unit = b_.getInt8Ty();
  same.offsets = steps(b_.getInt64Ty(), places.distance);
  return same;
}

LaneEmitter::ShiftedIndex LaneEmitter::shifted(InstId index) const {
  const ir::Inst& inst = kernel_[index];
  if (inst.op == Op::Load) {
    const std::optional<InstId> only = divergence_->only_value(index);
    return only ? shifted(*only) : ShiftedIndex{index, 0};
  }
  if (inst.op != Op::Binary || inst.type != Type::I32) return {index, 0};
  const auto operands = kernel_.operands_of(inst);
  const bool adds = inst.binary_op() == ir::BinaryOp::Add;
  const InstId constant = adds && kernel_[operands[0]].op == Op::Const ? operands[0] : operands[1];
  if ((!adds && inst.binary_op() != ir::BinaryOp::Sub) || kernel_[constant].op != Op::Const) return {index, 0};
  const ShiftedIndex inner = shifted(constant == operands[0] ? operands[1] : operands[0]);
  const int64_t number = kernel_[constant].integer();
  return {inner.value, inner.plus + (adds ? number : -number)};
}

LaneEmitter::LanePlaces LaneEmitter::element_places(InstId id, const ir::Inst& inst) {
  if (divergence_->is_uniform(id)) {
    emit_inst(id);
    return {};
  }
  const MemoryOperand memory{nullptr, inst.op, inst.aux};
  const std::optional<int64_t> distance = divergence_->distance(id);
  if (const auto records = distance ? record_places(id, inst, *distance) : std::nullopt) return *records;
  if (distance) return {LanePlaces::Kind::Steps, place_address(inst), *distance, memory};
  // The uniform part of the address is a number, the rest a vector: of 32 bits where the array is small enough.
  const auto operands = kernel_.operands_of(inst);
  const ir::Array& info = kernel_.arrays[inst.aux];
  const int64_t size = ir::size_in_bytes(inst.type);
  const int64_t stride = info.layout.stride ? info.layout.stride : size * info.layout.components;
  const int64_t component_stride = info.layout.component_stride ? info.layout.component_stride : size;
  const bool whole = stride % size == 0 && component_stride % size == 0;
  const int64_t unit = whole ? size : 1;
  llvm::Type* step = whole ? arithmetic_.memory_type(inst.type) : b_.getInt8Ty();
  int64_t units = stride / unit;
  for (int32_t extent : info.shape) units = std::min(units * std::max(extent, 1), int64_t{INT32_MAX} + 1);
  const bool is_small = !info.shape.empty() && units <= INT32_MAX;
  llvm::Type* word = is_small ? b_.getInt32Ty() : b_.getInt64Ty();
  // x[i + 1, j - 1] has the offsets of x[i, j], at another address. An element of x has none that 32 bits do not hold.
  std::vector<ShiftedIndex> indices;
  int64_t shift = 0, farthest = 0;
  for (uint32_t i = 0; i < static_cast<uint32_t>(info.rank); ++i) {
    const uint32_t axis = info.layout.order.empty() ? i : static_cast<uint32_t>(info.layout.order[i]);
    indices.push_back(is_small ? shifted(operands[axis]) : ShiftedIndex{operands[axis], 0});
    const int64_t plus = std::clamp<int64_t>(indices.back().plus, INT32_MIN, INT32_MAX);
    const int64_t extent = is_small ? info.shape[axis] : 1;
    shift = shift * extent + plus;
    farthest = farthest * extent + std::abs(plus);
    if (farthest > INT32_MAX) break;
  }
  if (farthest > (INT32_MAX - units) / (stride / unit)) {
    shift = 0;
    indices.clear();
  }
  const auto index = [&](InstId operand) -> Value* {
    const std::optional<int64_t> lane_step = divergence_->step(operand);
    if (!lane_step) {
      Value* lanes = vectors_.at(operand);
      return b_.CreateIntCast(lanes, vector_of(word), ir::is_signed(kernel_[operand].type));
    }
    Value* all = splat(b_.CreateTrunc(wide_index(operand), word));
    return *lane_step == 0 ? all : b_.CreateAdd(all, steps(word, *lane_step));
  };
  const auto number = [&](int64_t n) { return llvm::ConstantInt::get(vector_of(word), static_cast<uint64_t>(n)); };
  std::vector<int64_t> key{is_small, stride / unit, component_stride / unit};
  const bool varies_in = info.layout.components != 1 && !divergence_->is_uniform(operands.back());
  if (varies_in) key.push_back(static_cast<int64_t>(operands.back()));
  for (uint32_t i = 0; i < static_cast<uint32_t>(info.rank); ++i) {
    const uint32_t axis = info.layout.order.empty() ? i : static_cast<uint32_t>(info.layout.order[i]);
    key.push_back(static_cast<int64_t>(indices.empty() ? operands[axis] : indices[i].value));
    key.push_back(is_small ? info.shape[axis] : -1 - static_cast<int64_t>(inst.aux));
  }
  llvm::Instruction*& known = offsets_[key];
  Value* offset = known && known->getParent() == b_.GetInsertBlock() ? known : nullptr;
  const bool is_known = offset != nullptr;
  for (uint32_t i = 0; !is_known && i < static_cast<uint32_t>(info.rank); ++i) {
    const uint32_t axis = info.layout.order.empty() ? i : static_cast<uint32_t>(info.layout.order[i]);
    const InstId along = indices.empty() ? operands[axis] : indices[i].value;
    if (offset) {
      Value* extent = splat(b_.CreateZExtOrTrunc(array_shape(inst.aux, axis), word));
      offset = b_.CreateAdd(b_.CreateMul(offset, extent), index(along));
    } else {
      offset = index(along);
    }
  }
  if (!is_known && offset && stride != unit) offset = b_.CreateMul(offset, number(stride / unit));
  Value* data = array_data(inst.aux);
  if (shift != 0) data = b_.CreateConstGEP1_64(step, data, static_cast<uint64_t>(shift * (stride / unit)));
  LanePlaces places{LanePlaces::Kind::Anywhere, data, 0, memory};
  places.unit = step;
  if (const std::optional<unsigned> even = pair_of(inst)) {
    const uint64_t units_in = *even * static_cast<uint64_t>(component_stride / unit);
    places.pair = b_.CreateConstGEP1_64(step, data, units_in);
    places.component = static_cast<unsigned>(kernel_[operands.back()].imm);
  }
  if (info.layout.components != 1) {
    const InstId component = operands.back();
    if (!varies_in) {
      Value* steps_in =
          b_.CreateMul(wide_index(component), b_.getInt64(static_cast<uint64_t>(component_stride / unit)));
      places.address = b_.CreateGEP(step, data, steps_in);
    } else if (!is_known) {
      Value* steps_in = b_.CreateMul(index(component), number(component_stride / unit));
      offset = offset ? b_.CreateAdd(offset, steps_in) : steps_in;
    }
  }
  known = llvm::dyn_cast<llvm::Instruction>(offset);
  places.offsets = offset;
  return places;
}

/// The place of an element of a local array, or of one in the temps, where each element has a word.
LaneEmitter::LanePlaces LaneEmitter::local_places(InstId id, const ir::Inst& inst) {
  const InstId array = kernel_.operands_of(id)[0], index = kernel_.operands_of(id)[1];
  const LanePlaces whole = places_of(array);
  llvm::Type* number = arithmetic_.memory_type(inst.type);
  if (whole.kind == LanePlaces::Kind::Uniform) {
    if (divergence_->is_uniform(index)) {
      emit_inst(id);
      return {};
    }
    const MemoryOperand& memory = operands_.at(array);
    llvm::Type* element = memory.kind == Op::GlobalTemp ? b_.getInt64Ty() : number;
    LanePlaces places{LanePlaces::Kind::Anywhere, memory.address, 0, memory};
    places.offsets = lanes_of(index);
    places.unit = element;
    return places;
  }
  if (divergence_->is_uniform(index)) {
    Value* address = b_.CreateInBoundsGEP(vector_of(number), whole.address, wide_index(index));
    return {LanePlaces::Kind::Slots, address, 0, whole.memory};
  }
  Value* lanes = b_.CreateMul(lanes_of(index), llvm::ConstantInt::get(vector_of(b_.getInt32Ty()), lanes_));
  lanes = b_.CreateAdd(lanes, steps(b_.getInt32Ty(), 1));
  LanePlaces places{LanePlaces::Kind::Anywhere, whole.address, 0, whole.memory};
  places.offsets = lanes;
  places.unit = number;
  return places;
}

}  // namespace qd::codegen
