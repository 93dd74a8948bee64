// Displays of tuples, lists and dicts, and comprehensions.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Evaluates the items of `a, b, *rest`.
Item evaluate_display(Compilation& c, syntax::List<syntax::ExprPtr> elements);
/// Lowers `{key: value, **other}`.
Item dict_display(Compilation& c, const syntax::Dict& e);
/// Lowers `[element for ...]`: its iterable is known at compile time, the elements need not be.
Item lower_comprehension(Compilation& c, syntax::List<syntax::Comprehension> generators, const Expr& element);
/// Lowers `{key: value for ...}`: the keys are known.
Item dict_comprehension(Compilation& c, const syntax::DictComp& e);

}  // namespace qd::frontend
