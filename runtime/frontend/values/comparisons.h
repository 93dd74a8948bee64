// Comparisons of two values.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The u1 of comparing two numbers, in the type that both promote to.
std::optional<ir::InstId> compare_pair(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b,
                                       const Range& range);
/// A comparison of each component: a vector or matrix of u1.
Item compare_tensors(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b, const Range& range);

}  // namespace qd::frontend
