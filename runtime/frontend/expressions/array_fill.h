// `x.fill(value)` of a field or an ndarray in a kernel: a loop over its elements.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Stores a value into all elements of an array, in a parallel loop wherever a `for` in its place would be one.
void fill_array(Compilation& c, const Item& array, const Expr& value, const Range& range);

}  // namespace qd::frontend
