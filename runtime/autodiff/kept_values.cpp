#include "runtime/autodiff/kept_values.h"

#include <algorithm>

namespace qd::autodiff {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;

void StackPlan::add(ir::Type type, std::optional<uint64_t> count) {
  numbers[type] += count.value_or(0);
  uint64_t bytes = 0;
  for (const auto& [of, many] : numbers) bytes += many * static_cast<uint64_t>(ir::size_in_bytes(of));
  bounded = bounded && count && bytes <= kMaxLocalBytes;
}

KeptValues::KeptValues(const Primal& primal, const ReverseSweep& sweep)
    : primal_(primal),
      keeping_(primal.insts(), Keeping::Unneeded),
      frames_(primal.blocks()),
      variables_(primal.blocks()) {
  const ir::Kernel& kernel = primal.kernel();
  for (size_t block = 0; block < primal.blocks(); ++block) {
    const BlockId reversed = sweep.of(static_cast<BlockId>(block));
    if (reversed == BlockId::None) continue;
    for (InstId id : kernel[reversed]) {
      for (InstId operand : kernel.operands_of(id)) need(operand);
    }
  }
  for (size_t n = 0; n < primal.insts(); ++n) {
    const InstId id = static_cast<InstId>(n);
    if (of(id) == Keeping::Variable) variables_[static_cast<size_t>(primal.home(id).root)].push_back(id);
    if (of(id) != Keeping::Stack) continue;
    frames_[static_cast<size_t>(primal.block_of(id))].push_back(id);
    stacks_[primal.home(id).root].add(kernel[id].type, primal.runs(primal.block_of(id)));
  }
}

const StackPlan* KeptValues::stack(BlockId root) const {
  const auto found = stacks_.find(root);
  return found == stacks_.end() ? nullptr : &found->second;
}

bool KeptValues::has_rows() const {
  return std::ranges::any_of(stacks_, [](const auto& stack) { return !stack.second.bounded; });
}

void KeptValues::need(InstId id) {
  if (!primal_.has(id) || of(id) != Keeping::Unneeded) return;
  Keeping& keeping = keeping_[static_cast<size_t>(id)];
  if (primal_.is_root(primal_.block_of(id))) {
    keeping = Keeping::There;
    return;
  }
  if (!can_repeat(id)) {
    keeping = primal_.home(id).loops > 0 ? Keeping::Stack : Keeping::Variable;
    return;
  }
  keeping = Keeping::Repeated;
  const Inst& inst = primal_.kernel()[id];
  for (InstId operand : primal_.kernel().operands_of(id)) need(operand);
  if (inst.op == Op::LoopIndex) {
    for (InstId bound : primal_.kernel().operands_of(inst.aux_inst())) need(bound);
    if (const CountedLoop* counted = primal_.counted(inst.aux_inst())) need(counted->count);
  }
}

/// A gradient changes during the launch, so that its elements are kept. Calls of the mathematical library are kept
/// where that takes no stack.
bool KeptValues::can_repeat(InstId id) const {
  const ir::Kernel& kernel = primal_.kernel();
  const Inst& inst = kernel[id];
  if (inst.op == Op::LoopIndex || inst.op == Op::Iteration || inst.op == Op::ElementPtr) return true;
  if (inst.op == Op::Load) {
    const Inst& place = kernel[kernel.operands_of(id)[0]];
    return place.op == Op::ElementPtr &&
           std::ranges::none_of(kernel.arrays, [&](const ir::Array& array) { return array.gradient == place.aux; });
  }
  if (!ir::is_pure(inst.op)) return false;
  const bool library = (inst.op == Op::Unary && row(inst.unary_op()).cost == ir::Cost::Library) ||
                       (inst.op == Op::Binary && row(inst.binary_op()).cost == ir::Cost::Library);
  return !library || primal_.home(id).loops > 0;
}

}  // namespace qd::autodiff
