// Copies of instructions and blocks, and kernels without some of theirs.
#pragma once

#include <functional>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Copies blocks of a kernel into another one, or into itself. Copies use copies: operands, blocks and what stands in
/// aux are renumbered. What was not copied stands for itself in the same kernel; in another one it is an error
/// (InstId::None, which the verifier tells) unless set() says what stands for it.
class Cloner {
 public:
  Cloner(const Kernel& from, Kernel& to) : from_(from), to_(to), copies_(from.insts.size(), InstId::None) {}

  /// Called with each copy before it is added: for a change of its location, say.
  std::function<void(Inst&)> change;

  InstId copy_of(InstId id) const;
  void set(InstId id, InstId copy) { copies_[static_cast<uint32_t>(id)] = copy; }

  /// BlockId::None stays what it is.
  BlockId block(BlockId id);
  /// The instruction with its blocks; the copy stands in no block.
  InstId inst(InstId id);
  /// An instruction that is only an identity, as the For of a parallel task: the copy has neither operands nor blocks.
  InstId bare(InstId id);

 private:
  const Kernel& from_;
  Kernel& to_;
  std::vector<InstId> copies_;
  std::vector<InstId> operands_;  // of the instruction that is being copied
};

/// Takes instructions out of all blocks and out of the kernel, and closes the gaps in the numbers of the others: the
/// kernel is as if they had never been added. Nothing that stays may use what goes.
void erase_insts(Kernel& kernel, const std::function<bool(const Inst&)>& goes);

}  // namespace qd::ir
