// Tuples, lists and dicts as they are written, and comprehensions.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

Item evaluate_display(Compilation& c, syntax::List<syntax::ExprPtr> elements);
Item dict_display(Compilation& c, const syntax::Dict& e);
Item lower_comprehension(Compilation& c, syntax::List<syntax::Comprehension> generators, const Expr& element);
Item dict_comprehension(Compilation& c, const syntax::DictComp& e);

}  // namespace qd::frontend
