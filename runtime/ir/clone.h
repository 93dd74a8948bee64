// Cloning of instructions and blocks, and removal of instructions.
#pragma once

#include <functional>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Copies blocks of a kernel into another kernel, or into the same one. A copy uses copies: operands, blocks, and
/// instructions that aux names are renumbered. Within one kernel, an instruction that was not copied is used as it is.
/// In another kernel that is an error (InstId::None, which the verifier reports), unless set() gives an instruction in
/// its place.
class Cloner {
 public:
  Cloner(const Kernel& from, Kernel& to) : from_(from), to_(to), copies_(from.insts.size(), InstId::None) {}

  /// Hook, called with each copy before the copy is added, for instance to change its location.
  std::function<void(Inst&)> change;

  InstId copy_of(InstId id) const;
  void set(InstId id, InstId copy) { copies_[static_cast<uint32_t>(id)] = copy; }

  /// Copies a block. BlockId::None stays what it is.
  BlockId block(BlockId id);
  /// Copies an instruction with its blocks. The copy is in no block.
  InstId inst(InstId id);
  /// Copies an instruction that only gives others something to name, such as the For of a parallel task. The copy has
  /// neither operands nor blocks.
  InstId bare(InstId id);

 private:
  const Kernel& from_;
  Kernel& to_;
  std::vector<InstId> copies_;
  std::vector<InstId> operands_;  // of the instruction that is being copied
};

/// Takes instructions out of the kernel and renumbers the others, as if those had never been added. No instruction that
/// stays may use one that goes.
void erase_insts(Kernel& kernel, const std::function<bool(const Inst&)>& goes);

}  // namespace qd::ir
