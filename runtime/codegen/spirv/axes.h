// The iterations of a parallel task, counted by their indices: a number with one digit for each axis.
#pragma once

#include <vector>

#include "runtime/codegen/spirv/arithmetic.h"

namespace qd::codegen::spirv {

/// An iteration's place on each axis, from 0, in as many bits as the axis counts in. Behind the last iteration the
/// first one is out of range. So however many iterations there are, nothing is counted in 64 bits unless the axes are;
/// and an invocation goes from one of its iterations to the next by sums, without the divisions that make digits of a
/// number.
using Digits = std::vector<Id>;

class Axes {
 public:
  Axes(Arithmetic& arithmetic, Code& code) : a_(arithmetic), code_(code) {}
  /// Axes come from the slowest to the fastest; both ends are of the type that the axis counts in. `small`: there are
  /// at most 2^31 - 1 indices.
  void add(Id begin, Id end, ir::Type counts, bool small);
  /// Ends the list of axes. To be called when all are there.
  void close();

  size_t size() const { return begins_.size(); }
  /// The digits of a number of 32 bits.
  Digits digits(Id number);
  Digits sum(const Digits& at, const Digits& step);
  /// Whether there is an iteration with these digits.
  Id holds(const Digits& at) { return a_.test(spv::OpULessThan, at[0], first_extent_); }
  /// The index on an axis.
  Id index(const Digits& at, size_t axis) { return integer(axis, spv::OpIAdd, begins_[axis], at[axis]); }
  /// The type of a digit of the axis: an integer of 32 bits or 64.
  Id type(size_t axis) { return wide_[axis] ? a_.u64() : a_.u32(); }
  /// The number of the iteration, in 64 bits.
  Id number(const Digits& at);

 private:
  Id integer(size_t axis, spv::Op op, Id x, Id y) { return code_.op(op, type(axis), {x, y}); }
  Id number(size_t axis, uint32_t value) { return wide_[axis] ? a_.wide(value) : a_.number(value); }

  Arithmetic& a_;
  Code& code_;
  std::vector<Id> begins_, extents_;  // an extent is at least 1, so that it can divide
  std::vector<Id> filled_;            // whether there are indices at all
  std::vector<bool> wide_;            // whether an axis counts in 64 bits
  std::vector<bool> may_wrap_;        // whether a sum of digits may be too large for 32 bits
  Id first_extent_ = 0;               // 0 when one of the axes has no index
};

}  // namespace qd::codegen::spirv
