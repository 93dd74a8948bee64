// Tuples, lists and dicts as they are written, and comprehensions.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// `a, b, *rest`: the items, evaluated.
Item evaluate_display(Compilation& c, syntax::List<syntax::ExprPtr> elements);
/// `{key: value, **other}`.
Item dict_display(Compilation& c, const syntax::Dict& e);
/// `[element for ...]`: what it goes through is known at compile time, the elements need not be.
Item lower_comprehension(Compilation& c, syntax::List<syntax::Comprehension> generators, const Expr& element);
/// `{key: value for ...}`: the keys are known.
Item dict_comprehension(Compilation& c, const syntax::DictComp& e);

}  // namespace qd::frontend
