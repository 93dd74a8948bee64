// Tests that Python decides at compile time, and their outcomes.
#pragma once

#include <optional>

#include "runtime/syntax/ast.h"

namespace qd::report {

/// Possible outcomes of a test at run time.
struct Outcomes {
  bool can_be_true = true;
  bool can_be_false = true;
};

/// Outcomes by CPython's compiler, which drops the dead arm: it folds constants, `not`, arithmetic, `and`, `or` and
/// conditional expressions.
Outcomes compiled_outcomes(const syntax::Expr& test, int python_minor);

/// Outcome by coverage.py, for possible arcs: only constants, `__debug__`, `not`, and `and`/`or` of such. The truth of
/// the test if it is constant.
std::optional<bool> constant_test(const syntax::Expr& test);

/// True for a plain string: as the first statement of a body, its docstring.
bool is_string_constant(const syntax::Expr& expr);

}  // namespace qd::report
