// Copies instructions in program order, so that an instruction is copied before its users are.
#include "runtime/ir/clone.h"

#include <utility>

namespace qd::ir {

InstId Cloner::copy_of(InstId id) const {
  const auto index = static_cast<uint32_t>(id);
  if (index < copies_.size() && copies_[index] != InstId::None) return copies_[index];
  return &from_ == &to_ ? id : InstId::None;
}

BlockId Cloner::block(BlockId id) {
  if (id == BlockId::None) return id;
  const BlockId copied = to_.add_block();
  to_[copied].reserve(from_[id].size());
  for (size_t i = 0; i < from_[id].size(); i++) {  // the list moves when blocks are added to its own kernel
    const InstId copy = inst(from_[id][i]);
    to_[copied].push_back(copy);
  }
  return copied;
}

InstId Cloner::inst(InstId id) {
  Inst copied = from_[id];
  const auto blocks = std::exchange(copied.blocks, {BlockId::None, BlockId::None});
  renumber_aux(copied, [&](InstId old) { return copy_of(old); });
  operands_.clear();
  for (InstId operand : from_.operands_of(id)) operands_.push_back(copy_of(operand));
  if (change) change(copied);
  const InstId copy = to_.add(copied, operands_);
  set(id, copy);
  for (size_t i = 0; i < blocks.size(); i++) {
    const BlockId inner = block(blocks[i]);
    to_[copy].blocks[i] = inner;
  }
  return copy;
}

InstId Cloner::bare(InstId id) {
  Inst copied = from_[id];
  copied.blocks = {BlockId::None, BlockId::None};
  if (change) change(copied);
  const InstId copy = to_.add(copied, {});
  set(id, copy);
  return copy;
}

void erase_insts(Kernel& kernel, const std::function<bool(const Inst&)>& goes) {
  std::vector<InstId> number(kernel.insts.size(), InstId::None);
  std::vector<Inst> insts;
  for (size_t i = 0; i < kernel.insts.size(); i++) {
    if (goes(kernel.insts[i])) continue;
    number[i] = static_cast<InstId>(insts.size());
    insts.push_back(kernel.insts[i]);
  }
  auto renumbered = [&](InstId id) { return number[static_cast<uint32_t>(id)]; };
  for (Inst& inst : insts) renumber_aux(inst, renumbered);
  for (auto& block : kernel.blocks) {
    std::erase_if(block, [&](InstId id) { return renumbered(id) == InstId::None; });
    for (InstId& id : block) id = renumbered(id);
  }
  for (InstId& id : kernel.operands) id = renumbered(id);
  for (Task& task : kernel.tasks) {
    if (task.loop != InstId::None) task.loop = renumbered(task.loop);
  }
  kernel.insts = std::move(insts);
}

}  // namespace qd::ir
