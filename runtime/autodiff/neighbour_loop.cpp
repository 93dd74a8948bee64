#include "runtime/autodiff/neighbour_loop.h"

#include <algorithm>

#include "runtime/ir/walk.h"

namespace qd::autodiff {

using ir::BinaryOp;
using ir::Inst;
using ir::InstId;
using ir::Op;

NeighbourLoop::NeighbourLoop(ir::Kernel& kernel, InstId loop)
    : kernel_(kernel),
      loop_(loop),
      body_(kernel[loop].blocks[0]),
      axes_(static_cast<uint32_t>(kernel.operands_of(loop).size() / 2)) {
  walk(kernel_, body_, [&](InstId id) { inside_.insert(id); });
}

std::vector<InstId> NeighbourLoop::operands(InstId id) const {
  const auto args = kernel_.operands_of(id);
  return {args.begin(), args.end()};
}

std::vector<InstId> NeighbourLoop::bounds() const { return operands(loop_); }

std::map<uint32_t, Sums> NeighbourLoop::find_sums() const {
  std::map<uint32_t, Sums> found;
  std::set<uint32_t> spoiled;
  std::set<InstId> used;
  for (InstId id : inside_) {
    for (InstId operand : kernel_.operands_of(id)) used.insert(operand);
  }
  const std::set<InstId> flat(kernel_[body_].begin(), kernel_[body_].end());
  for (InstId id : kernel_[body_]) visit(id, used, found, spoiled);
  for (InstId id : inside_) {
    const Inst& inst = kernel_[id];
    if (flat.contains(id) || !ir::accesses_memory(inst.op)) continue;
    const Inst& place = kernel_[kernel_.operands_of(id)[0]];
    if (place.op == Op::ElementPtr) spoiled.insert(place.aux);
  }
  for (uint32_t array : spoiled) found.erase(array);
  std::erase_if(found, [&](const auto& one) { return !is_pure(one.second); });
  return found;
}

void NeighbourLoop::visit(InstId id, const std::set<InstId>& used, std::map<uint32_t, Sums>& found,
                          std::set<uint32_t>& spoiled) const {
  const Inst& inst = kernel_[id];
  if (!ir::accesses_memory(inst.op)) return;
  const InstId place = kernel_.operands_of(id)[0];
  if (kernel_[place].op != Op::ElementPtr) return;
  const uint32_t array = kernel_[place].aux;
  const bool adds = inst.op == Op::AtomicRmw && inst.atomic_op() == ir::AtomicOp::Add && !used.contains(id);
  const auto indices = adds ? indices_of(place) : std::nullopt;
  if (!indices) {
    spoiled.insert(array);
    return;
  }
  Sums& sums = found[array];
  if (sums.indices.empty()) sums.indices = *indices;
  std::vector<int64_t> distances(axes_);
  bool same = true;
  for (size_t n = 0; n < indices->size(); ++n) {
    const Index &index = (*indices)[n], &first = sums.indices[n];
    same = same && index.axis == first.axis && same_outside(index.value, first.value);
    if (index.axis) distances[*index.axis] = index.distance;
  }
  if (same) {
    sums.by_distance[distances].push_back(id);
  } else {
    spoiled.insert(array);
  }
}

bool NeighbourLoop::same_outside(InstId a, InstId b) const {
  if (a == b) return true;
  if (a == InstId::None || b == InstId::None) return false;
  return kernel_[a].op == Op::Const && kernel_[b].op == Op::Const && kernel_[a].imm == kernel_[b].imm;
}

/// The indices of a place; nothing unless each axis of the loop is in one of them.
std::optional<std::vector<Index>> NeighbourLoop::indices_of(InstId place) const {
  std::vector<Index> indices;
  std::set<uint32_t> axes;
  for (InstId operand : kernel_.operands_of(place)) {
    Index index = index_of(operand);
    if (!index.axis && index.value == InstId::None) return std::nullopt;
    if (index.axis && !axes.insert(*index.axis).second) return std::nullopt;
    indices.push_back(index);
  }
  if (axes.size() != axes_) return std::nullopt;
  return indices;
}

Index NeighbourLoop::index_of(InstId id) const {
  const Inst& inst = kernel_[id];
  if (inst.op == Op::LoopIndex && inst.aux_inst() == loop_) return {inst.axis(), 0, InstId::None};
  if (inst.op == Op::Const || !inside_.contains(id)) return {std::nullopt, 0, id};
  if (inst.op != Op::Binary || (inst.binary_op() != BinaryOp::Add && inst.binary_op() != BinaryOp::Sub)) return {};
  const auto args = kernel_.operands_of(id);
  const bool adds = inst.binary_op() == BinaryOp::Add;
  const Index left = index_of(args[0]), right = index_of(args[1]);
  if (left.axis && right.value != InstId::None && kernel_[right.value].op == Op::Const) {
    const int64_t distance = kernel_[right.value].integer();
    return {left.axis, left.distance + (adds ? distance : -distance), InstId::None};
  }
  if (adds && right.axis && left.value != InstId::None && kernel_[left.value].op == Op::Const)
    return {right.axis, right.distance + kernel_[left.value].integer(), InstId::None};
  return {};
}

bool NeighbourLoop::is_pure(const Sums& sums) const {
  std::set<InstId> seen;
  for (const auto& [distance, list] : sums.by_distance) {
    for (InstId id : list) {
      if (!is_pure(kernel_.operands_of(id)[1], seen)) return false;
    }
  }
  return true;
}

bool NeighbourLoop::is_pure(InstId id, std::set<InstId>& seen) const {
  if (!inside_.contains(id) || !seen.insert(id).second) return true;
  const Inst& inst = kernel_[id];
  if (inst.op == Op::Load ? !is_unchanged(id)
                          : !ir::is_pure(inst.op) && inst.op != Op::LoopIndex && inst.op != Op::ElementPtr)
    return false;
  return std::ranges::all_of(kernel_.operands_of(id), [&](InstId operand) { return is_pure(operand, seen); });
}

bool NeighbourLoop::is_unchanged(InstId load) const {
  const InstId place = kernel_.operands_of(load)[0];
  if (kernel_[place].op != Op::ElementPtr) return false;
  return std::ranges::all_of(inside_, [&](InstId id) {
    const Inst& inst = kernel_[id];
    if (!ir::has_effect(inst.op, ir::kWrites) || inst.operand_count == 0) return true;
    const InstId written = kernel_.operands_of(id)[0];
    if (kernel_[written].op != Op::ElementPtr || kernel_[written].aux != kernel_[place].aux) return true;
    return inst.op == Op::Store && load < id && is_own(written) && same_place(written, place);
  });
}

bool NeighbourLoop::is_own(InstId place) const {
  const auto indices = indices_of(place);
  return indices && std::ranges::all_of(*indices, [](const Index& index) { return index.distance == 0; });
}

bool NeighbourLoop::same_place(InstId a, InstId b) const {
  const auto x = indices_of(a), y = indices_of(b);
  return x && y && std::ranges::equal(*x, *y, [&](const Index& m, const Index& n) {
           return m.axis == n.axis && m.distance == n.distance && same_outside(m.value, n.value);
         });
}

void NeighbourLoop::collect(InstId value, std::set<InstId>& slice) const {
  if (!inside_.contains(value) || !slice.insert(value).second) return;
  for (InstId operand : kernel_.operands_of(value)) collect(operand, slice);
}

InstId NeighbourLoop::copy(ir::Builder& build, InstId value, const std::vector<InstId>& iteration,
                           std::unordered_map<InstId, InstId>& copies) const {
  if (!inside_.contains(value)) return value;
  if (const auto found = copies.find(value); found != copies.end()) return found->second;
  const Inst inst = kernel_[value];
  if (inst.op == Op::LoopIndex) return copies[value] = iteration[inst.axis()];
  std::vector<InstId> args;
  for (InstId operand : operands(value)) args.push_back(copy(build, operand, iteration, copies));
  return copies[value] = build.like(inst, args);
}

InstId NeighbourLoop::place(ir::Builder& build, const Sums& sums, const std::vector<InstId>& element) const {
  std::vector<InstId> indices;
  for (const Index& index : sums.indices) {
    const bool inner = !index.axis && inside_.contains(index.value);  // a constant of the loop
    indices.push_back(index.axis ? element[*index.axis] : inner ? build.like(kernel_[index.value], {}) : index.value);
  }
  const InstId first = sums.by_distance.begin()->second.front();
  return build.like(kernel_[kernel_.operands_of(first)[0]], indices);
}

InstId plus(ir::Kernel& kernel, ir::Builder& build, InstId a, int64_t n) {
  if (n == 0) return a;
  return build.binary(BinaryOp::Add, a, build.constant(kernel[a].type, static_cast<uint64_t>(n)));
}

}  // namespace qd::autodiff
