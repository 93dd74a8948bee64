// Operators as they are written: `a + b`, `-a`, `not a`.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// `a op b`.
Item lower_binop(Compilation& c, const syntax::BinOp& e, const Expr& expr);
/// `not a`, `-a`, `+a`, `~a`.
Item lower_unaryop(Compilation& c, const syntax::UnaryOp& e, const Expr& expr);

}  // namespace qd::frontend
