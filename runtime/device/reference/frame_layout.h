// Frame layout: places of the values of a kernel while it is interpreted.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::device::reference {

/// A frame holds the words of one task, or of one call of a routine. An instruction has as many of them in a row as it
/// needs:
///   a value: the value; a pointer: an address; an Alloca: its address, then its numbers, a word each;
///   a For: index, begin and end, a word for each axis; a Call: its results. A routine's arguments come first in its
///   frame.
class FrameLayout {
 public:
  explicit FrameLayout(const ir::Kernel& kernel);

  /// The number of the first word of an instruction.
  uint32_t at(ir::InstId id) const { return at_[static_cast<uint32_t>(id)]; }
  /// Size of the frame of the kernel's body, or of any of its tasks, in words.
  uint32_t kernel_size() const { return kernel_size_; }
  uint32_t routine_size(size_t routine) const { return routine_sizes_[routine]; }

 private:
  void place(ir::InstId id, uint32_t words, uint32_t& size);
  void place(const ir::Kernel& kernel, ir::BlockId block, uint32_t& size);

  std::vector<uint32_t> at_;
  uint32_t kernel_size_ = 0;
  std::vector<uint32_t> routine_sizes_;
};

}  // namespace qd::device::reference
