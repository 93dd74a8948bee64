// Which tests Python decides when it compiles them, and how.
#pragma once

#include <optional>

#include "runtime/syntax/ast.h"

namespace qd::report {

/// What a test can turn out to be at run time.
struct Outcomes {
  bool can_be_true = true;
  bool can_be_false = true;
};

/// As CPython's compiler decides, which drops the dead arm: it folds constants, `not`, arithmetic, `and`, `or` and
/// conditional expressions.
Outcomes compiled_outcomes(const syntax::Expr& test, int python_minor);

/// As coverage.py decides for possible arcs: only constants, `__debug__`, `not`, and `and`/`or` of such. The truth of
/// the test if constant.
std::optional<bool> constant_test(const syntax::Expr& test);

/// A plain string: as the first statement of a body, its docstring.
bool is_string_constant(const syntax::Expr& expr);

}  // namespace qd::report
