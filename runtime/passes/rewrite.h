// Changes to a kernel that several passes make.
#pragma once

#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::passes {

/// Instructions to take out, each with the value that takes its place.
class Replacements {
 public:
  /// `by` takes the place of `id`; InstId::None when `id` has no users. `by` may be taken out as well.
  void add(ir::InstId id, ir::InstId by) {
    const auto at = static_cast<size_t>(id);
    if (at >= by_.size()) by_.resize(at + at / 2 + 1, kStays);
    by_[at] = by;
    empty_ = false;
  }
  bool empty() const { return empty_; }
  bool contains(ir::InstId id) const {
    return static_cast<size_t>(id) < by_.size() && by_[static_cast<size_t>(id)] != kStays;
  }
  ir::InstId follow(ir::InstId id) const {
    while (contains(id)) id = by_[static_cast<size_t>(id)];
    return id;
  }

 private:
  static constexpr ir::InstId kStays = static_cast<ir::InstId>(UINT32_MAX - 1);
  std::vector<ir::InstId> by_;  // by the number of the instruction
  bool empty_ = true;
};

/// Takes these instructions out of the block and of all blocks in it.
void replace(ir::Kernel& kernel, ir::BlockId block, const Replacements& replacements);

}  // namespace qd::passes
