// Validation of kernels for reverse mode: an element that is read must not be overwritten afterwards, in the same
// launch or in a later one of the same tape.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// An array that the pass adds for another one, of the same shape, with an i32 for each number: 0, or what stands for
/// the instruction that has read the number last.
struct ReadMarks {
  uint32_t array;  // into Kernel::arrays, as the next one
  uint32_t marks;
};

struct OverwriteChecks {
  std::vector<ReadMarks> marks;
  uint32_t first = 0;  // into Kernel::params, if there are marks: the mark of an instruction is this, above 0, plus its
                       // location
};

/// Adds marks where a kernel reads arrays with gradients, and asserts of the kind Overwrite where it writes them:
///
///     y = x[i]       ->   y = x[i]; marks[i] = first + location
///     x[i] = 2 * y   ->   assert marks[i] == 0; x[i] = 2 * y
///
/// An atomic operation writes. So x[i] += 1 alone is no error, and x[i] = x[i] + 1 is one.
OverwriteChecks check_overwrites(ir::Kernel& kernel);

}  // namespace qd::autodiff
