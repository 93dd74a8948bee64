// Records: elements of a few numbers that lie side by side in memory, one for each lane. Whole vectors of memory are
// loaded, from which each lane's number is picked, instead of a gather; and likewise for stores.
//
//   for i in x:                # x has vectors of 3 numbers
//       y[i] = x[i].norm()     # of 16 lanes: 3 loads of 16 numbers, and 6 shuffles
#include <algorithm>

#include "runtime/codegen/cpu/lane_costs.h"
#include "runtime/codegen/cpu/lane_emitter.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {

using ir::InstId;
using ir::Op;
using ir::Type;
using llvm::Value;

/// Finds the components of each element that lanes access.
void LaneEmitter::find_components(ir::BlockId body) {
  components_.clear();
  ir::walk(kernel_, body, [&](InstId id) {
    const ir::Inst& inst = kernel_[id];
    if (inst.op != Op::ElementPtr || kernel_.arrays[inst.aux].layout.components == 1) return;
    const auto operands = kernel_.operands_of(inst);
    const ir::Inst& component = kernel_[operands.back()];
    if (component.op != Op::Const || component.imm >= 64) return;
    const auto indices = operands.first(operands.size() - 1);
    components_[{inst.aux, std::vector(indices.begin(), indices.end())}] |= uint64_t{1} << component.imm;
  });
}

std::optional<unsigned> LaneEmitter::pair_of(const ir::Inst& element) const {
  const ir::Layout& layout = kernel_.arrays[element.aux].layout;
  const int64_t size = ir::size_in_bytes(element.type);
  const bool close = layout.component_stride == 0 || layout.component_stride == size;
  if (layout.components == 1 || size != 4 || !close) return std::nullopt;
  const auto operands = kernel_.operands_of(element);
  const ir::Inst& component = kernel_[operands.back()];
  if (component.op != Op::Const || component.imm >= 64) return std::nullopt;
  const auto indices = operands.first(operands.size() - 1);
  const auto accessed = components_.find({element.aux, std::vector(indices.begin(), indices.end())});
  const unsigned even = static_cast<unsigned>(component.imm) & ~1U;
  if (accessed == components_.end() || (accessed->second >> even & 3) != 3) return std::nullopt;
  return even;
}

/// Loads both components of a pair at once, and picks one.
Value* LaneEmitter::load_of_pair(Type type, const LanePlaces& places) {
  LanePlaces pair = places;
  pair.address = places.pair;
  Value* words = gathered(vector_of(b_.getInt64Ty()), llvm::Align(4), pair);
  llvm::Type* halves = llvm::FixedVectorType::get(b_.getInt32Ty(), 2 * lanes_);
  llvm::SmallVector<int, 16> picked;
  for (unsigned lane = 0; lane < lanes_; ++lane) picked.push_back(static_cast<int>(2 * lane + places.component % 2));
  Value* half = b_.CreateShuffleVector(b_.CreateBitCast(words, halves), picked);
  return arithmetic_.from_memory(type, b_.CreateBitCast(half, vector_of(arithmetic_.memory_type(type))));
}

std::optional<LaneEmitter::LanePlaces> LaneEmitter::record_places(InstId id, const ir::Inst& inst, int64_t distance) {
  const ir::Layout& layout = kernel_.arrays[inst.aux].layout;
  const int64_t size = ir::size_in_bytes(inst.type);
  if (distance % size != 0 || distance / size < 2 || distance / size > kLongestRecord) return std::nullopt;
  LanePlaces places{LanePlaces::Kind::Records, place_address(inst), distance, {nullptr, inst.op, inst.aux}};
  places.record = places.address;
  places.numbers = static_cast<unsigned>(distance / size);
  places.filled = 1;
  if (layout.components == 1) return places;
  const ir::Inst& component = kernel_[kernel_.operands_of(id).back()];
  const bool close = layout.component_stride == 0 || layout.component_stride == size;
  const bool within = component.op == Op::Const && component.imm < static_cast<uint64_t>(layout.components);
  if (!within || !close || layout.components > static_cast<int64_t>(places.numbers)) return places;
  places.record = element_address(inst, /*first_component=*/true);
  places.filled = static_cast<unsigned>(layout.components);
  places.component = static_cast<unsigned>(component.imm);
  return places;
}

/// The mask of a vector of memory, of which there are as many as a record has numbers: some components of the records
/// of active lanes.
Value* LaneEmitter::mask_of_records(const LanePlaces& places, unsigned part, llvm::ArrayRef<bool> components) {
  llvm::SmallVector<int, 16> lanes;
  for (unsigned number = part * lanes_; number < (part + 1) * lanes_; ++number) {
    const unsigned component = number % places.numbers;
    const bool used = component < components.size() && components[component];
    lanes.push_back(static_cast<int>(used ? number / places.numbers : lanes_));
  }
  return holds(b_.CreateShuffleVector(mask(), llvm::Constant::getNullValue(mask_->getAllocatedType()), lanes));
}

Value* LaneEmitter::load_component(Type type, const LanePlaces& places) {
  llvm::Type* number = arithmetic_.memory_type(type);
  llvm::Type* vector = vector_of(number);
  const llvm::Align align(static_cast<uint64_t>(ir::size_in_bytes(type)));
  const llvm::SmallVector<bool, 8> all(places.filled, true);
  Value* result = nullptr;
  for (unsigned part = 0; part < places.numbers; ++part) {
    llvm::Instruction* load =
        b_.CreateMaskedLoad(vector, b_.CreateConstGEP1_64(number, places.record, part * lanes_), align,
                            mask_of_records(places, part, all), llvm::Constant::getNullValue(vector));
    annotate(load, places.memory);
    llvm::SmallVector<int, 16> picked;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const unsigned place = lane * places.numbers + places.component;
      picked.push_back(static_cast<int>(place / lanes_ == part ? lanes_ + place % lanes_ : lane));
    }
    result = b_.CreateShuffleVector(result ? result : llvm::PoisonValue::get(vector), load, picked);
  }
  return arithmetic_.from_memory(type, result);
}

/// Stores a component of the records of lanes. The store waits for those to other components of the same records.
void LaneEmitter::store_component(InstId element, Type type, const LanePlaces& places, Value* vector) {
  if (record_stores_ && record_stores_->places.memory.array != places.memory.array) end_record_stores();
  if (!record_stores_) {
    std::span<const InstId> indices = kernel_.operands_of(element);
    if (places.filled > 1) indices = indices.first(indices.size() - 1);
    record_stores_.emplace(element, places, type, std::vector(indices.begin(), indices.end()),
                           std::vector<Value*>(places.filled));
  }
  record_stores_->components[places.component] = arithmetic_.to_memory(type, vector);
  const auto is_stored = [](const Value* component) { return component != nullptr; };
  if (std::ranges::all_of(record_stores_->components, is_stored)) end_record_stores();
}

bool LaneEmitter::passes_record_stores(InstId id) const {
  const ir::Inst& inst = kernel_[id];
  if (!ir::accesses_memory(inst.op)) return !ir::has_effect(inst.op, ~(ir::kHere | ir::kCounts));
  const InstId place = kernel_.operands_of(inst)[0];
  const bool is_plain = inst.op == Op::Load || inst.op == Op::Store || divergence_->is_variable(place) ||
                        (inst.op == Op::AtomicRmw && divergence_->is_own(place));
  if (!is_plain) return false;
  if (kernel_[place].op != Op::ElementPtr) return true;
  if (kernel_[place].aux != record_stores_->places.memory.array)
    return !may_meet(kernel_[place], kernel_[record_stores_->element]);
  const LanePlaces places = places_of(place);
  const std::vector<InstId>& indices = record_stores_->indices;
  return places.kind == LanePlaces::Kind::Records && places.filled == record_stores_->places.filled &&
         places.filled > 1 && std::ranges::equal(kernel_.operands_of(place).first(indices.size()), indices) &&
         !record_stores_->components[places.component];
}

/// Does the stores that wait.
void LaneEmitter::end_record_stores() {
  if (!record_stores_) return;
  const LanePlaces& places = record_stores_->places;
  const std::vector<Value*>& components = record_stores_->components;
  llvm::Type* number = arithmetic_.memory_type(record_stores_->type);
  const llvm::Align align(static_cast<uint64_t>(ir::size_in_bytes(record_stores_->type)));
  llvm::SmallVector<bool, 8> stored;
  for (const Value* component : components) stored.push_back(component != nullptr);
  for (unsigned part = 0; part < places.numbers; ++part) {
    Value* vector = llvm::PoisonValue::get(vector_of(number));
    for (unsigned component = 0; component < components.size(); ++component) {
      if (!components[component]) continue;
      llvm::SmallVector<int, 16> picked;
      for (unsigned i = 0; i < lanes_; ++i) {
        const unsigned place = part * lanes_ + i;
        picked.push_back(static_cast<int>(place % places.numbers == component ? lanes_ + place / places.numbers : i));
      }
      vector = b_.CreateShuffleVector(vector, components[component], picked);
    }
    Value* address = b_.CreateConstGEP1_64(number, places.record, part * lanes_);
    store_side_by_side(vector, address, align, mask_of_records(places, part, stored), places.memory,
                       stored.size() == places.numbers && !llvm::is_contained(stored, false));
  }
  record_stores_.reset();
}

}  // namespace qd::codegen
