// Loads of an iteration's own elements that are done once, in front of the body, instead of under each mask anew.
//
//   for i in x:
//       if i > 0:
//           d += x[i] - x[i - 1]    # x[i] is loaded for all iterations, and stays in registers
//       if i < n - 1:
//           d += x[i] - x[i + 1]
#include <algorithm>
#include <limits>

#include "runtime/codegen/cpu/lane_emitter.h"

namespace qd::codegen {

using ir::Bound;
using ir::InstId;
using ir::Op;
using llvm::Value;

namespace {

/// Whether an array has an element for each iteration of a task.
bool has_all_elements(const ir::Kernel& kernel, const ir::Task& task, uint32_t array) {
  const ir::Array& info = kernel.arrays[array];
  for (size_t axis = 0; axis < task.bounds.size() / 2; ++axis) {
    const Bound &begin = task.bounds[2 * axis], &end = task.bounds[2 * axis + 1];
    if (begin.kind != Bound::Kind::Const || begin.value < 0) return false;
    const bool is_its_shape = end.kind == Bound::Kind::Shape && end.value == static_cast<int64_t>(array) &&
                              end.axis == static_cast<int32_t>(axis);
    const bool is_within = end.kind == Bound::Kind::Const && axis < info.shape.size() && end.value <= info.shape[axis];
    if (!is_its_shape && !is_within) return false;
  }
  return true;
}

}  // namespace

/// The component that a load of an iteration's own element reads, of an array with an element for each iteration.
std::optional<LaneEmitter::OwnComponent> LaneEmitter::own_component(InstId load, const ir::Task& task) const {
  if (kernel_[load].op != Op::Load) return std::nullopt;
  const InstId place = kernel_.operands_of(load)[0];
  const uint32_t array = kernel_[place].aux;
  if (!divergence_->is_own_element(place) || !divergence_->distance(place) || !has_all_elements(kernel_, task, array))
    return std::nullopt;
  if (kernel_.arrays[array].layout.components == 1) return OwnComponent(array, 0);
  const ir::Inst& component = kernel_[kernel_.operands_of(place).back()];
  return component.op == Op::Const ? std::optional(OwnComponent(array, component.imm)) : std::nullopt;
}

/// Finds components that are loaded several times, in front of all that may change them.
void LaneEmitter::find_early_loads(const ir::Task& task) {
  struct Place {
    size_t number;  // of an instruction; of a write in a loop, that of the loop
    InstId id;      // None: anywhere
  };
  std::vector<Place> writes;
  std::vector<std::pair<Place, OwnComponent>> loads;
  std::map<OwnComponent, int> times;
  size_t number = 0;
  const auto visit = [&](auto&& self, ir::BlockId block, size_t loop) -> void {
    for (InstId id : kernel_[block]) {
      const ir::Inst& inst = kernel_[id];
      ++number;
      if (ir::has_effect(inst.op, ir::kWrites)) {
        const InstId place = ir::accesses_memory(inst.op) ? kernel_.operands_of(inst)[0] : InstId::None;
        writes.push_back({std::min(number, loop), place});
      } else if (const auto component = own_component(id, task)) {
        loads.push_back({{number, id}, *component});
        ++times[*component];
      }
      const size_t inside = inst.op == Op::If ? loop : std::min(number, loop);
      for (ir::BlockId inner : inst.blocks) {
        if (inner != ir::BlockId::None) self(self, inner, inside);
      }
    }
  };
  visit(visit, task.body, std::numeric_limits<size_t>::max());
  early_loads_.clear();
  for (const auto& [load, component] : loads) {
    const ir::Inst& place = kernel_[kernel_.operands_of(load.id)[0]];
    const bool is_changed = std::ranges::any_of(writes, [&](const Place& write) {
      return write.number < load.number && (write.id == InstId::None || may_meet(place, kernel_[write.id]));
    });
    if (!is_changed && times[component] > 1) early_loads_.emplace(load.id, component);
  }
}

/// Begins the body, in a block behind one for early loads.
void LaneEmitter::begin_early_loads() {
  early_values_.clear();
  llvm::BasicBlock* body = new_block("body");
  early_ = b_.CreateBr(body);
  b_.SetInsertPoint(body);
}

/// The value of an early load, for all lanes of the strip.
Value* LaneEmitter::early_value(InstId load) {
  Value*& value = early_values_[early_loads_.at(load)];
  if (value) return value;
  const llvm::IRBuilderBase::InsertPointGuard guard(b_);
  b_.SetInsertPoint(early_);
  const InstId place = kernel_.operands_of(load)[0];
  value = load_lanes(kernel_[load].type, element_places(place, kernel_[place]));
  return value;
}

}  // namespace qd::codegen
