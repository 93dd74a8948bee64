// Reverse mode of automatic differentiation.
#pragma once

#include <vector>

#include "runtime/autodiff/autodiff.h"
#include "runtime/autodiff/record.h"
#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// Makes of a kernel the one that adds to the gradients of the arrays that it reads, from those of the arrays that it
/// writes. For `y[i] = x[i] * x[i]` in a parallel loop, where both arrays have gradients, an iteration is
///
///     t = x[i]                               # forward sweep: the primal without its writes to arrays
///     dr = y.grad[i]                         # reverse sweep: its statements backwards
///     x.grad[i] += dr * t + dr * t
///
/// `recorded`: its launches have the record of the primal's launch (record.h); returns the reads that it takes from
/// there. Throws NoDerivative.
std::vector<RecordedRead> reverse(ir::Kernel& kernel, Options options = {}, bool recorded = false);

/// Makes of the same kernel the one that returns the stack that reverse() needs for an iteration of a parallel loop, or
/// for the serial code, at most: two numbers of type i64, of 32-bit words and of 64-bit words.
std::vector<RecordedRead> count_stack(ir::Kernel& kernel, bool recorded);

}  // namespace qd::autodiff
