// Operators in the syntax tree: `a + b`, `-a`, `not a`.
#pragma once

#include <array>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers `a op b`.
Item lower_binop(Compilation& c, const syntax::BinOp& e, const Expr& expr);
/// Lowers the same for items; `ranges` are those of the operands.
Item operate(Compilation& c, syntax::Operator op, const Item& left, const Item& right,
             const std::array<Range, 2>& ranges, const Range& range);
/// Lowers `not a`, `-a`, `+a`, `~a`.
Item lower_unaryop(Compilation& c, const syntax::UnaryOp& e, const Expr& expr);

}  // namespace qd::frontend
