// The value of an expression: which rule lowers which node of the syntax tree.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The value of an expression, loaded.
Item evaluate(Compilation& c, const Expr& expr);
/// As evaluate; of what has a place, the place.
Item evaluate_place(Compilation& c, const Expr& expr);
/// The value of an expression that must be known at compile time (qd.static, axes, dtypes): a Value.
Item static_value(Compilation& c, const Expr& expr);
/// An expression of which only the truth is asked for.
std::optional<ir::InstId> lower_test(Compilation& c, const Expr& expr);

}  // namespace qd::frontend
