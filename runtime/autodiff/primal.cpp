#include "runtime/autodiff/primal.h"

#include <algorithm>

#include "runtime/autodiff/activity.h"
#include "runtime/autodiff/autodiff.h"
#include "runtime/autodiff/common_values.h"
#include "runtime/autodiff/element_copies.h"
#include "runtime/ir/walk.h"

namespace qd::autodiff {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;

namespace {

/// The lines of the active numbers of a kernel, by function.
std::set<std::pair<uint32_t, int32_t>> lines_of(const ir::Kernel& kernel, const std::vector<bool>& active) {
  std::set<std::pair<uint32_t, int32_t>> lines;
  auto is_active = [&](InstId id) { return active[static_cast<size_t>(id)]; };
  walk(kernel, kernel.body, [&](InstId id) {
    const Inst& inst = kernel[id];
    const auto args = kernel.operands_of(id);
    const ir::Derivative rule = row(inst.op).derivative;
    const bool writes = rule == ir::Derivative::Memory && args.size() > 1 && is_active(args[1]);
    if (!writes && (rule == ir::Derivative::Place || !is_active(id))) return;
    const ir::Location& location = kernel.locations[inst.location];
    lines.insert({location.function, location.line});
  });
  return lines;
}

}  // namespace

Primal::Primal(ir::Kernel& kernel, bool lines) : kernel_(kernel) {
  if (!kernel.checkpoints.empty()) throw NoDerivative{InstId::None, "has checkpoints, and so no gradient"};
  for (const CountedLoop& loop : normalize(kernel)) counted_[loop.loop] = loop;
  // Of values that are the same, the first stays, which may be on the line of a condition.
  if (lines) lines_ = lines_of(kernel, active_in_reverse(kernel));
  share_common_values(kernel);
  find_places();
  if (copy_elements(*this, first_reads_)) {
    follow_variables(kernel);
    share_common_values(kernel);
    find_places();
  }
  active_ = active_in_reverse(kernel);
}

void Primal::find_places() {
  blocks_.assign(kernel_.blocks.size(), {});
  block_of_.assign(kernel_.insts.size(), BlockId::None);
  position_.assign(kernel_.insts.size(), 0);
  parallel_.assign(kernel_.insts.size(), false);
  next_position_ = 0;
  find(kernel_.body, {.root = kernel_.body}, Level::Top);
}

void Primal::find(BlockId block, Block here, Level level) {
  if (block == BlockId::None) return;
  blocks_[static_cast<size_t>(block)] = here;
  for (InstId id : kernel_[block]) {
    const Inst& inst = kernel_[id];
    block_of_[static_cast<size_t>(id)] = block;
    position_[static_cast<size_t>(id)] = next_position_++;
    if (inst.op == Op::Region && !inst.group() && kernel_[kernel_[inst.blocks[0]][0]].op == Op::Loop)
      throw NoDerivative{id, "has no gradient: write the loop in Python, and launch a kernel in it"};
    const bool parallel = autodiff::is_parallel(kernel_, id, level);
    parallel_[static_cast<size_t>(id)] = parallel;
    for (BlockId inner : inst.blocks) {
      Block inside{here.root, id, here.loops + is_loop(inst)};
      if (parallel) inside = {inner, id, 0};
      find(inner, inside, level_in(kernel_, id, level));
    }
  }
}

const CountedLoop* Primal::counted(InstId loop) const {
  const auto found = counted_.find(loop);
  return found == counted_.end() ? nullptr : &found->second;
}

std::optional<uint64_t> Primal::runs(BlockId block) const {
  constexpr uint64_t kMany = uint64_t{1} << 32;
  uint64_t product = 1;
  for (; !is_root(block); block = block_of((*this)[block].around)) {
    const InstId around = (*this)[block].around;
    if (kernel_[around].op == Op::Loop) return std::nullopt;
    if (kernel_[around].op != Op::For) continue;
    const auto bounds = kernel_.operands_of(around);
    for (size_t axis = 0; axis < bounds.size() / 2; ++axis) {
      const Inst &begin = kernel_[bounds[2 * axis]], &end = kernel_[bounds[2 * axis + 1]];
      if (begin.op != Op::Const || end.op != Op::Const) return std::nullopt;
      product *= static_cast<uint64_t>(std::clamp<int64_t>(end.integer() - begin.integer(), 0, kMany));
      if (product >= kMany) return std::nullopt;
    }
  }
  return product;
}

std::vector<InstId> Primal::operands(InstId id) const {
  const auto args = kernel_.operands_of(id);
  return {args.begin(), args.end()};
}

std::vector<InstId> Primal::writes() const {
  std::vector<InstId> list;
  for (size_t n = 0; n < insts(); ++n) {
    const InstId id = static_cast<InstId>(n);
    if (block_of(id) == BlockId::None || !ir::has_effect(kernel_[id].op, ir::kWrites)) continue;
    if (ir::accesses_memory(kernel_[id].op) && is_element(kernel_.operands_of(id)[0])) list.push_back(id);
  }
  return list;
}

InstId Primal::variable_of(InstId place) const {
  return kernel_[place].op == Op::LocalPtr ? kernel_.operands_of(place)[0] : place;
}

bool Primal::overwrites(InstId write, InstId load) const {
  const InstId place = kernel_.operands_of(load)[0], other = kernel_.operands_of(write)[0];
  if (!same(kernel_, place, other)) return false;
  if (precedes(load, write)) return true;
  for (BlockId block = block_of(load); !is_root(block); block = block_of((*this)[block].around)) {
    const InstId around = (*this)[block].around;
    if (is_loop(kernel_[around]) && is_in(write, around) && is_invariant(place, around)) return true;
  }
  return false;
}

bool Primal::may_overwrite(InstId write, InstId load) const {
  const InstId place = kernel_.operands_of(load)[0], other = kernel_.operands_of(write)[0];
  if (kernel_[place].aux != kernel_[other].aux) return false;
  const auto read = kernel_.operands_of(place), written = kernel_.operands_of(other);
  for (size_t i = 0; i < read.size(); ++i) {
    const Offset a = offset_of(kernel_, read[i]), b = offset_of(kernel_, written[i]);
    if (a.base == InstId::None && b.base == InstId::None && a.constant != b.constant) return false;
    if (a.base == InstId::None || b.base == InstId::None || !same(kernel_, a.base, b.base)) continue;
    if (a.constant != b.constant && is_of_launch(a.base)) return false;
    const bool serial = kernel_[a.base].op == Op::LoopIndex && !is_parallel(kernel_[a.base].aux_inst());
    if (serial && a.constant < b.constant) return false;  // an earlier iteration has written what a later one reads
  }
  return true;
}

/// Whether a value is seen to be one number in the whole launch.
bool Primal::is_of_launch(InstId value) const {
  const Inst& inst = kernel_[value];
  const auto operands = kernel_.operands_of(value);
  if (inst.op == Op::Load) {
    const Inst& place = kernel_[operands[0]];
    if (place.op != Op::ElementPtr) return false;
    if (std::ranges::any_of(writes(),
                            [&](InstId write) { return kernel_[kernel_.operands_of(write)[0]].aux == place.aux; }))
      return false;
  } else if (!ir::is_pure(inst.op) && inst.op != Op::ElementPtr) {
    return false;
  }
  return std::ranges::all_of(operands, [&](InstId operand) { return is_of_launch(operand); });
}

bool Primal::may_be_shared(InstId access) const {
  const BlockId root = home(access).root;
  if (root == kernel_.body) return false;
  const InstId loop = (*this)[root].around;
  const InstId place = kernel_.operands_of(access)[0];
  std::set<uint32_t> axes;
  for (InstId operand : kernel_.operands_of(place)) {
    const InstId base = offset_of(kernel_, operand).base;
    if (base == InstId::None || kernel_[base].op != Op::LoopIndex || kernel_[base].aux_inst() != loop) continue;
    axes.insert(kernel_[base].axis());
  }
  if (2 * axes.size() == kernel_.operands_of(loop).size()) return false;
  return std::ranges::any_of(writes(), [&](InstId write) {
    return kernel_[write].op != Op::Store && home(write).root == root &&
           kernel_[kernel_.operands_of(write)[0]].aux == kernel_[place].aux;
  });
}

bool Primal::is_in(InstId id, InstId loop) const {
  for (InstId around = home(id).around; around != InstId::None; around = home(around).around) {
    if (around == loop) return true;
  }
  return false;
}

bool Primal::is_invariant(InstId id, InstId loop) const {
  if (!is_in(id, loop)) return true;
  if (kernel_[id].op == Op::LoopIndex) return kernel_[id].aux_inst() != loop && !is_in(kernel_[id].aux_inst(), loop);
  if (!ir::is_pure(kernel_[id].op) && kernel_[id].op != Op::ElementPtr) return false;
  return std::ranges::all_of(kernel_.operands_of(id), [&](InstId operand) { return is_invariant(operand, loop); });
}

}  // namespace qd::autodiff
