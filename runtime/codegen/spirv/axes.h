// The iterations of a parallel task, counted by their indices: a number with one digit for each axis.
#pragma once

#include <vector>

#include "runtime/codegen/spirv/arithmetic.h"

namespace qd::codegen::spirv {

/// An iteration's place on each axis, from 0, in 32 bits. Behind the last iteration the first one is out of range. So
/// however many iterations there are, nothing is counted in 64 bits; and an invocation goes from one of its iterations
/// to the next by sums, without the divisions that make digits of a number.
using Digits = std::vector<Id>;

class Axes {
 public:
  Axes(Arithmetic& arithmetic, Code& code) : a_(arithmetic), code_(code) {}
  /// Axes come from the slowest to the fastest. `small`: there are at most 2³¹ - 1 indices.
  void add(Id begin, Id end, bool small);
  /// To be called when all axes are there.
  void close();

  size_t size() const { return begins_.size(); }
  Digits digits(Id number);
  Digits sum(const Digits& at, const Digits& step);
  /// Whether there is such an iteration.
  Id holds(const Digits& at) { return a_.test(spv::OpULessThan, at[0], first_extent_); }
  /// The index on an axis.
  Id index(const Digits& at, size_t axis) { return a_.integer(spv::OpIAdd, begins_[axis], at[axis]); }
  /// The number of the iteration, in 64 bits.
  Id number(const Digits& at);

 private:
  Arithmetic& a_;
  Code& code_;
  std::vector<Id> begins_, extents_;  // an extent is at least 1, so that it can divide
  std::vector<Id> filled_;            // whether there are indices at all
  std::vector<bool> may_wrap_;        // whether a sum of digits may be too large for 32 bits
  Id first_extent_ = 0;               // 0 when one of the axes has no index
};

}  // namespace qd::codegen::spirv
