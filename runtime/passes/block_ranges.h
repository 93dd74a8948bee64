// Iterations of a block loop: the number of blocks, and the iteration of a thread.
#pragma once

#include <optional>
#include <vector>

#include "runtime/ir/builder.h"

namespace qd::passes {

/// The range of a parallel task, with its bounds as values. An iteration has a number, the last axis fastest. Block,
/// thread and index are computed from the number of the block's first thread. It is an I32 where all numbers are known
/// to fit, else an I64.
class BlockRange {
 public:
  /// Adds the bounds where `build` stands.
  BlockRange(ir::Builder& build, ir::Kernel& kernel, const ir::Task& task);

  /// Number of blocks, where that is known.
  std::optional<int64_t> known_blocks(int32_t block_dim) const;
  /// The type of the numbers of blocks, which a loop can count in.
  ir::Type block_type() const { return block_type_; }
  /// Number of blocks.
  ir::InstId blocks(ir::Builder& build, int32_t block_dim) const;
  /// The number of the first iteration of a block.
  ir::InstId first_of_block(ir::Builder& build, ir::InstId block, int32_t block_dim) const;
  /// Number of threads of the block: an I32. The last block may have fewer than the others.
  ir::InstId threads_of_block(ir::Builder& build, ir::InstId first, int32_t block_dim) const;
  /// The number of a thread's iteration: an I64.
  ir::InstId iteration(ir::Builder& build, ir::InstId first, ir::InstId thread) const;
  /// The index of a thread's iteration along an axis, of the type that the axis counts in.
  ir::InstId index(ir::Builder& build, ir::InstId first, ir::InstId thread, uint32_t axis) const;

 private:
  struct Axis {
    ir::InstId begin;   // of the type that the axis counts in
    ir::InstId extent;  // of `type_`; not negative
  };
  ir::InstId value(ir::Builder& build, const ir::Bound& bound) const;
  ir::InstId number(ir::Builder& build, int64_t value) const {
    return build.constant(type_, static_cast<uint64_t>(value));
  }

  ir::Kernel& kernel_;
  ir::Type type_ = ir::Type::I64;
  ir::Type block_type_ = ir::Type::I32;
  std::vector<Axis> axes_;
  std::optional<int64_t> known_;  // number of iterations
  ir::InstId total_ = ir::InstId::None;
};

}  // namespace qd::passes
