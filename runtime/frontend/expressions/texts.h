// Texts as they are written: f-strings, `%`, str.format; print.
#pragma once

#include "runtime/frontend/known/python_values.h"
#include "runtime/frontend/state/compilation.h"
#include "runtime/frontend/values/text.h"

namespace qd::frontend {

bool add_expr(Compilation& c, Text& text, const Expr& expr);
void lower_print(Compilation& c, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
