// Validation of kernels for reverse mode: an element that is read must not be overwritten in the same launch.
#pragma once

#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// An array that the pass adds for another one, of the same shape, with an i32 for each number: 0, which it has to be
/// when a launch begins, or 1 + the location of an instruction that has read the number.
struct ReadMarks {
  uint32_t array;  // into Kernel::arrays, as the next one
  uint32_t marks;
};

/// Adds marks where a kernel reads arrays with gradients, and asserts of the kind Overwrite where it writes them:
///
///     y = x[i]       ->   y = x[i]; marks[i] = 1 + location
///     x[i] = 2 * y   ->   assert marks[i] == 0; x[i] = 2 * y
///
/// An atomic operation writes. So x[i] += 1 alone is no error, and x[i] = x[i] + 1 is one.
std::vector<ReadMarks> check_overwrites(ir::Kernel& kernel);

}  // namespace qd::autodiff
