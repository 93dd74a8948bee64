// Variables of lanes, and their accesses to memory: of one place, of places side by side, or of places anywhere.
#include <algorithm>

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
  // Of several lanes that store to one place, the last one counts, as it does where they run one after the other.
  if (!divergence_->is_uniform(operands[1]))
    values_[operands[1]] = b_.CreateExtractElement(lanes_of(operands[1]), last_lane());
  emit_inst(id);
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
  llvm::Type* vector = vector_of(arithmetic_.memory_type(type));
  const llvm::Align align(static_cast<uint64_t>(ir::size_in_bytes(type)));
  llvm::Instruction* load = nullptr;
  if (places.kind == LanePlaces::Kind::Slots) {
    load = b_.CreateLoad(vector, places.address);
  } else if (places.kind == LanePlaces::Kind::Steps && places.distance == ir::size_in_bytes(type)) {
    load = b_.CreateMaskedLoad(vector, places.address, align, mask(), llvm::Constant::getNullValue(vector));
  } else {
    load = b_.CreateMaskedGather(vector, addresses_of(places), align, mask(), llvm::Constant::getNullValue(vector));
  }
  annotate(load, places.memory);
  return arithmetic_.from_memory(type, load);
}

/// Stores a vector. `all`: to lanes that are not active, too.
void LaneEmitter::store_lanes(Type type, const LanePlaces& places, Value* vector, bool all) {
  const llvm::Align align(static_cast<uint64_t>(ir::size_in_bytes(type)));
  vector = arithmetic_.to_memory(type, vector);
  llvm::Instruction* store = nullptr;
  if (places.kind == LanePlaces::Kind::Slots) {
    if (!all) vector = b_.CreateSelect(mask(), vector, b_.CreateLoad(vector->getType(), places.address));
    store = b_.CreateStore(vector, places.address);
  } else if (places.kind == LanePlaces::Kind::Steps && places.distance == ir::size_in_bytes(type)) {
    store = b_.CreateMaskedStore(vector, places.address, align, mask());
  } else {
    store = b_.CreateMaskedScatter(vector, addresses_of(places), align, mask());
  }
  annotate(store, places.memory);
}

Value* LaneEmitter::addresses_of(const LanePlaces& places) {
  if (places.kind == LanePlaces::Kind::Anywhere) return places.address;
  return b_.CreateGEP(b_.getInt8Ty(), places.address, steps(b_.getInt64Ty(), places.distance));
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
  Value* offset = nullptr;
  for (uint32_t i = 0; i < static_cast<uint32_t>(info.rank); ++i) {
    const uint32_t axis = info.layout.order.empty() ? i : static_cast<uint32_t>(info.layout.order[i]);
    if (offset) {
      Value* extent = splat(b_.CreateZExtOrTrunc(array_shape(inst.aux, axis), word));
      offset = b_.CreateAdd(b_.CreateMul(offset, extent), index(operands[axis]));
    } else {
      offset = index(operands[axis]);
    }
  }
  if (offset && stride != unit) offset = b_.CreateMul(offset, number(stride / unit));
  Value* data = array_data(inst.aux);
  Value* pair = nullptr;
  const std::optional<unsigned> even = pair_of(inst);
  if (even) {
    const uint64_t units_in = *even * static_cast<uint64_t>(component_stride / unit);
    pair = b_.CreateGEP(step, b_.CreateConstInBoundsGEP1_64(step, data, units_in), offset);
  }
  if (info.layout.components != 1) {
    const InstId component = operands.back();
    if (divergence_->is_uniform(component)) {
      Value* steps_in =
          b_.CreateMul(wide_index(component), b_.getInt64(static_cast<uint64_t>(component_stride / unit)));
      data = b_.CreateInBoundsGEP(step, data, steps_in);
    } else {
      Value* steps_in = b_.CreateMul(index(component), number(component_stride / unit));
      offset = offset ? b_.CreateAdd(offset, steps_in) : steps_in;
    }
  }
  LanePlaces places{LanePlaces::Kind::Anywhere, b_.CreateGEP(step, data, offset), 0, memory};
  places.pair = pair;
  if (even) places.component = static_cast<unsigned>(kernel_[operands.back()].imm);
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
    return {LanePlaces::Kind::Anywhere, b_.CreateGEP(element, memory.address, lanes_of(index)), 0, memory};
  }
  if (divergence_->is_uniform(index)) {
    Value* address = b_.CreateInBoundsGEP(vector_of(number), whole.address, wide_index(index));
    return {LanePlaces::Kind::Slots, address, 0, whole.memory};
  }
  Value* lanes = b_.CreateMul(lanes_of(index), llvm::ConstantInt::get(vector_of(b_.getInt32Ty()), lanes_));
  lanes = b_.CreateAdd(lanes, steps(b_.getInt32Ty(), 1));
  return {LanePlaces::Kind::Anywhere, b_.CreateGEP(number, whole.address, lanes), 0, whole.memory};
}

}  // namespace qd::codegen
