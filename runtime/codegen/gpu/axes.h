// The iterations of a parallel task, counted by their indices: a number with one digit for each axis.
#pragma once

#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "runtime/ir/type.h"

namespace qd::codegen::gpu {

/// An iteration's place on each axis, from 0, in as many bits as the axis counts in. Behind the last iteration the
/// first one is out of range. So however many iterations there are, nothing is counted in 64 bits unless the axes are;
/// and a thread goes from one of its iterations to the next by sums, without the divisions that make digits of a
/// number.
using Digits = std::vector<llvm::Value*>;

class Axes {
 public:
  explicit Axes(llvm::IRBuilder<>& builder) : b_(builder) {}
  /// Axes come from the slowest to the fastest; both ends are of the type that the axis counts in. `small`: there are
  /// at most 2^31 - 1 indices.
  void add(llvm::Value* begin, llvm::Value* end, ir::Type counts, bool small);
  /// Ends the list of axes. To be called when all are there.
  void close();

  size_t size() const { return begins_.size(); }
  /// The digits of a number of 32 bits.
  Digits digits(llvm::Value* number);
  Digits sum(const Digits& at, const Digits& step);
  /// Whether there is an iteration with these digits.
  llvm::Value* holds(const Digits& at) { return b_.CreateICmpULT(at[0], first_extent_); }
  /// The index on an axis, in 64 bits.
  llvm::Value* index(const Digits& at, size_t axis);
  /// The number of the iteration, in 64 bits.
  llvm::Value* number(const Digits& at);

 private:
  llvm::IRBuilder<>& b_;
  std::vector<llvm::Value*> begins_, extents_;  // an extent is at least 1, so that it can divide
  std::vector<llvm::Value*> filled_;            // whether there are indices at all
  std::vector<bool> signed_;                    // whether indices are signed numbers
  std::vector<bool> may_wrap_;                  // whether a sum of digits may be too large for 32 bits
  llvm::Value* first_extent_ = nullptr;         // 0 when one of the axes has no index
};

}  // namespace qd::codegen::gpu
