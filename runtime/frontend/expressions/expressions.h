// The value of an expression: dispatches each node of the syntax tree to its rule.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Evaluates an expression, loaded.
Item evaluate(Compilation& c, const Expr& expr);
/// Evaluates an expression as a place if it has one, else as evaluate().
Item evaluate_place(Compilation& c, const Expr& expr);
/// Evaluates an expression that must be known at compile time (qd.static, axes, dtypes): a Value.
Item static_value(Compilation& c, const Expr& expr);
/// Evaluates an expression of which only the truth is used.
std::optional<ir::InstId> lower_test(Compilation& c, const Expr& expr);

}  // namespace qd::frontend
