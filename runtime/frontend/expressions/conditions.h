// Lazy evaluation: and, or, chained comparisons, `x if test else y`; and tests that are known at compile time.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The compile-time truth of an `if` test that is one: qd.static(...), `is None`. Nothing for runtime tests.
struct StaticTest {
  bool is_static = false;
  std::optional<bool> value;  // nothing after an error
};

/// Lowers `and`, `or` if only the truth is used: one u1.
std::optional<ir::InstId> truth_of(Compilation& c, const syntax::BoolOp& e);
/// Lowers `and`, `or` if the operand itself is used.
Item lower_boolop(Compilation& c, const syntax::BoolOp& e);
/// Lowers `a < b`, `a < b < c`: each operand is evaluated at most once, up to the first comparison that fails.
Item lower_comparison(Compilation& c, const syntax::Compare& e, const Expr& expr);
/// Lowers `yes if test else no`.
Item lower_ternary(Compilation& c, const syntax::IfExp& e, const Expr& expr);
/// Chooses one of the results of `arm(0)` and `arm(1)`; only the chosen one is evaluated at run time.
Item choose(Compilation& c, ir::InstId test, const std::function<Item(int)>& arm, const std::array<Range, 2>& ranges,
            const Range& range);
/// Whether a test is known at compile time, with its value.
StaticTest static_test(Compilation& c, const Expr& test);

}  // namespace qd::frontend
