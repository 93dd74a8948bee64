// The iterations of a block loop: how many blocks there are, and which iteration a thread is.
#pragma once

#include <optional>
#include <vector>

#include "runtime/ir/builder.h"

namespace qd::passes {

/// The range of a parallel task, with its bounds as values. An iteration has a number, the last axis fastest; that of a
/// block's first thread is what block, thread and index are computed of. It is an I32 where all numbers are known to
/// fit, else an I64.
class BlockRange {
 public:
  /// Adds the bounds where `build` stands.
  BlockRange(ir::Builder& build, ir::Kernel& kernel, const ir::Task& task);

  /// How many blocks there are, where that is known.
  std::optional<int64_t> known_blocks(int32_t block_dim) const;
  /// The type of the numbers of blocks, which a loop can count in.
  ir::Type block_type() const { return block_type_; }
  /// How many blocks there are.
  ir::InstId blocks(ir::Builder& build, int32_t block_dim) const;
  /// The number of the first iteration of a block.
  ir::InstId first_of_block(ir::Builder& build, ir::InstId block, int32_t block_dim) const;
  /// How many threads the block has: an I32. The last block may have fewer than the others.
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
  std::optional<int64_t> known_;  // how many iterations there are
  ir::InstId total_ = ir::InstId::None;
};

}  // namespace qd::passes
