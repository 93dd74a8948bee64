// What evaluates lazily: and, or, chained comparisons, `x if test else y`; and tests that are known at compile time.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The compile-time truth of an `if` test that is one: qd.static(...), `is None`. Nothing for runtime tests.
struct StaticTest {
  bool is_static = false;
  std::optional<bool> value;  // nothing after an error
};

std::optional<ir::InstId> truth_of(Compilation& c, const syntax::BoolOp& e);
Item lower_boolop(Compilation& c, const syntax::BoolOp& e);
Item lower_comparison(Compilation& c, const syntax::Compare& e, const Expr& expr);
Item lower_ternary(Compilation& c, const syntax::IfExp& e, const Expr& expr);
StaticTest static_test(Compilation& c, const Expr& test);

}  // namespace qd::frontend
