// Common subexpressions of a kernel that reverse mode differentiates.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// Makes one of values that are seen to be the same, in loops of the top level: pure operations on the same numbers,
/// and loads of one element with no write to an array in between. A kernel that reads x[i] three times has three loads
/// of it, so the reverse sweep would add to x.grad[i] three times; and the vectoriser cannot change the order of
/// additions and loads of other arrays.
void share_common_values(ir::Kernel& kernel);

/// Whether two values are seen to be the same in all iterations, or two places.
bool same(const ir::Kernel& kernel, ir::InstId a, ir::InstId b);
/// Whether two places of an array are seen to be different ones in each iteration.
bool differ(const ir::Kernel& kernel, ir::InstId a, ir::InstId b);

/// An integer as the sum of a value and a constant.
struct Offset {
  ir::InstId base = ir::InstId::None;  // None: 0
  int64_t constant = 0;
};
Offset offset_of(const ir::Kernel& kernel, ir::InstId integer);

}  // namespace qd::autodiff
