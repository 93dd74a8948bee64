// Values of the primal that the reverse sweep needs, and the choice to keep each or to compute it again.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/autodiff/reverse_sweep.h"

namespace qd::autodiff {

/// The way of a value of the primal to the reverse sweep.
enum class Keeping : uint8_t {
  Unneeded,
  There,     // its block is a root, in which the forward sweep and the reverse sweep follow each other
  Repeated,  // computed again from values of its block and of blocks around: cheap, or an element of an array
  Variable,  // kept in a variable of the root, because no serial loop is around
  Stack,     // kept on the root's stack, once for each time that its block runs
};

/// The stack of a root.
struct StackPlan {
  /// Most bytes of a stack that is a local array.
  static constexpr uint64_t kMaxLocalBytes = 1024;
  std::map<ir::Type, uint64_t> numbers;  // at most; meaningless without `bounded`
  bool bounded = true;                   // by a constant, and small: local arrays. Else rows of the launch's stacks

  void add(ir::Type type, std::optional<uint64_t> count);
};

class KeptValues {
 public:
  KeptValues(const Primal& primal, const ReverseSweep& sweep);

  Keeping of(ir::InstId id) const { return keeping_[static_cast<size_t>(id)]; }
  /// The plan of a root's stack; null: it has none.
  const StackPlan* stack(ir::BlockId root) const;
  /// Whether a stack needs rows of the launch's stacks.
  bool has_rows() const;
  /// The values that a block keeps on the stack.
  const std::vector<ir::InstId>& frame(ir::BlockId block) const { return frames_[static_cast<size_t>(block)]; }
  /// The values that a root keeps in variables.
  const std::vector<ir::InstId>& variables(ir::BlockId root) const { return variables_[static_cast<size_t>(root)]; }

 private:
  void need(ir::InstId id);
  bool can_repeat(ir::InstId id) const;

  const Primal& primal_;
  std::vector<Keeping> keeping_;
  std::vector<std::vector<ir::InstId>> frames_, variables_;  // by block
  std::unordered_map<ir::BlockId, StackPlan> stacks_;
};

}  // namespace qd::autodiff
