// Texts in a kernel's source: f-strings, `%`, str.format; print.
#pragma once

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/state/compilation.h"
#include "runtime/frontend/values/text.h"

namespace qd::frontend {

/// Adds the printed form of an expression: its text for a literal, an f-string, `%` or format(), else its value. False
/// after an error.
bool add_expr(Compilation& c, Text& text, const Expr& expr);
/// Lowers print(..., sep=, end=).
void lower_print(Compilation& c, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
