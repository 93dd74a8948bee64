// Comparisons of two values.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Compares two numbers, in the type that both promote to: a u1.
std::optional<ir::InstId> compare_pair(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b,
                                       const Range& range);
/// Compares each component: a vector or matrix of u1.
Item compare_tensors(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b, const Range& range);

}  // namespace qd::frontend
