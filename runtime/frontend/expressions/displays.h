// Displays of tuples, lists and dicts, comprehensions, and the iterables that are known at compile time.
#pragma once

#include <optional>
#include <vector>

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

/// The items of an unrolled loop's iterable; nothing after an error.
std::optional<std::vector<Item>> static_iterable(Compilation& c, const Expr& expr);

}  // namespace qd::frontend
