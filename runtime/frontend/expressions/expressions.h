// The value of an expression: dispatches each node of the syntax tree to its rule.
#pragma once

#include <array>
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

/// The place of a target; Poison after an error.
Item target_place(Compilation& c, const Expr& target);

// Operators in the syntax tree: `a + b`, `-a`, `not a`.

/// Lowers `a op b`.
Item lower_binop(Compilation& c, const syntax::BinOp& e, const Expr& expr);
/// Lowers the same for items; `ranges` are those of the operands.
Item operate(Compilation& c, syntax::Operator op, const Item& left, const Item& right,
             const std::array<Range, 2>& ranges, const Range& range);
/// Lowers `not a`, `-a`, `+a`, `~a`.
Item lower_unaryop(Compilation& c, const syntax::UnaryOp& e, const Expr& expr);

// Subscripts: elements of arrays, vectors, matrices, views and containers, and slices of them.

/// Lowers `object[index]`, `object[a:b]`.
Item lower_subscript(Compilation& c, const syntax::Subscript& e, const Expr& expr);

// Attributes: `x.shape`, members of structs, components by name.

/// Lowers an attribute, `object.name`.
Item lower_attribute(Compilation& c, const syntax::Attribute& e, const Expr& expr);
/// Lowers getattr(object, name) and getattr(object, name, default), with a name that is known at compile time.
Item lower_getattr(Compilation& c, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
