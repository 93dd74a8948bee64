#include "runtime/passes/fixed_reductions.h"

#include <algorithm>
#include <set>

#include "runtime/ir/calls.h"
#include "runtime/ir/same_memory.h"
#include "runtime/ir/walk.h"

namespace qd::passes {

using ir::AtomicOp;
using ir::InstId;
using ir::Op;
using ir::Type;

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

std::optional<AtomicOp> epilogue_op(const ir::Kernel& kernel, const ir::Task& task, ir::InstId variable) {
  if (task.epilogue == ir::BlockId::None || kernel[variable].op != Op::Alloca) return std::nullopt;
  for (ir::InstId id : kernel[task.epilogue]) {
    if (kernel[id].op != Op::AtomicRmw) continue;
    const ir::InstId value = kernel.operands_of(id)[1];
    if (kernel[value].op == Op::Load && kernel.operands_of(value)[0] == variable)
      return gathered(kernel[id].atomic_op());
  }
  return std::nullopt;
}

std::optional<ReductionKey> reduction_key(const ir::Kernel& kernel, const ir::Inst& place) {
  ReductionKey key{place.op, place.aux, {}};
  if (place.op == Op::GlobalTemp) return key;
  if (place.op != Op::ElementPtr) return std::nullopt;
  for (InstId index : kernel.operands_of(place)) {
    if (kernel[index].op != Op::Const) return std::nullopt;
    key.element.push_back(kernel[index].integer());
  }
  return key;
}

std::map<ReductionKey, FixedReduction> fixed_reductions(const ir::Kernel& kernel, const ir::Task& task) {
  std::map<ReductionKey, FixedReduction> reductions;
  if (task.kind != ir::Task::Kind::Parallel) return reductions;
  std::set<InstId> used;  // values that have a use
  std::set<ReductionKey> spoiled;
  std::set<std::pair<Op, uint32_t>> spoiled_arrays;  // arrays with an access to an unknown element
  std::map<Type, std::set<uint32_t>>
      also_touched;  // arrays with a constant element that is touched in another way, too
  auto visit = [&](auto&& each) {
    ir::walk(kernel, task.prologue, each);
    ir::walk(kernel, task.body, each);
  };
  visit([&](InstId id) {
    for (InstId operand : kernel.operands_of(id)) used.insert(operand);
  });
  visit([&](InstId id) {
    const ir::Inst& inst = kernel[id];
    if (!ir::accesses_memory(inst.op)) return;
    const ir::Inst& place = kernel[kernel.operands_of(inst)[0]];
    if (place.op != Op::ElementPtr && place.op != Op::GlobalTemp) return;
    const std::optional<ReductionKey> known = reduction_key(kernel, place);
    if (!known) {
      spoiled_arrays.insert({place.op, place.aux});
      return;
    }
    const ReductionKey& key = *known;
    std::optional<AtomicOp> op = inst.op == Op::AtomicRmw ? gathered(inst.atomic_op()) : std::nullopt;
    if (!op || used.contains(id) || ir::bit_width(inst.type) < 32) {
      spoiled.insert(key);
    } else {
      auto [reduction, is_new] =
          reductions.try_emplace(key, FixedReduction{*op, inst.type, kernel.operands_of(inst)[0]});
      if (is_new || reduction->second.op == *op) return;
      spoiled.insert(key);
    }
    if (place.op == Op::ElementPtr) also_touched[place.type].insert(place.aux);
  });
  // A routine may touch any element, also of other arrays in the same memory.
  ir::walk_reached(kernel, task, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    if (inst.op != Op::ElementPtr) return;
    for (uint32_t array = 0; array < kernel.arrays.size(); ++array) {
      if (array == inst.aux ||
          (kernel.arrays[array].type == inst.type && ir::may_be_same_memory(kernel, array, inst.aux)))
        spoiled_arrays.insert({inst.op, array});
    }
  });
  for (const ReductionKey& key : spoiled) reductions.erase(key);
  std::erase_if(reductions, [&](const auto& entry) {
    const ReductionKey& key = entry.first;
    if (spoiled_arrays.contains({key.op, key.slot})) return true;
    if (key.op != Op::ElementPtr) return false;
    // A single iteration may change an element through two arrays. Elements that differ from iteration to iteration do
    // not matter: an iteration that touched the element of another would be a race.
    return std::ranges::any_of(also_touched[entry.second.type], [&](uint32_t other) {
      return other != key.slot && ir::may_be_same_memory(kernel, key.slot, other);
    });
  });
  return reductions;
}

}  // namespace qd::passes
