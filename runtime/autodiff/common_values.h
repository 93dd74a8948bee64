// Common subexpressions of a kernel that reverse mode differentiates.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// Makes one of values that are seen to be the same, in loops of the top level: pure operations on the same numbers,
/// and loads of one element with no write to an array in between. A kernel that reads x[i] three times has three loads
/// of it, so the reverse sweep would add to x.grad[i] three times; and the vectoriser cannot change the order of
/// additions and loads of other arrays.
void share_common_values(ir::Kernel& kernel);

}  // namespace qd::autodiff
