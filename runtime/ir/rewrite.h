// Changes to a kernel that several passes make.
#pragma once

#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Instructions to take out, each with the value that takes its place.
class Replacements {
 public:
  /// `by` takes the place of `id`; InstId::None when `id` has no users. `by` may be taken out as well.
  void add(InstId id, InstId by) {
    const auto at = static_cast<size_t>(id);
    if (at >= by_.size()) by_.resize(at + at / 2 + 1, kStays);
    by_[at] = by;
    empty_ = false;
  }
  bool empty() const { return empty_; }
  bool contains(InstId id) const {
    return static_cast<size_t>(id) < by_.size() && by_[static_cast<size_t>(id)] != kStays;
  }
  InstId follow(InstId id) const {
    while (contains(id)) id = by_[static_cast<size_t>(id)];
    return id;
  }

 private:
  static constexpr InstId kStays = static_cast<InstId>(UINT32_MAX - 1);
  std::vector<InstId> by_;  // by the number of the instruction
  bool empty_ = true;
};

/// Takes these instructions out of the block and of all blocks in it.
void replace(Kernel& kernel, BlockId block, const Replacements& replacements);

}  // namespace qd::ir
