// Comparisons of two values.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

std::optional<ir::InstId> compare_pair(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b,
                                       const Range& range);
Item compare_tensors(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b, const Range& range);

}  // namespace qd::frontend
