// What evaluates lazily: and, or, chained comparisons, `x if test else y`; and tests that are known at compile time.
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

/// `and`, `or` where only the truth is asked for: one u1.
std::optional<ir::InstId> truth_of(Compilation& c, const syntax::BoolOp& e);
/// `and`, `or` where the operand itself is asked for.
Item lower_boolop(Compilation& c, const syntax::BoolOp& e);
/// `a < b`, `a < b < c`: each operand is evaluated once, and only as far as it goes.
Item lower_comparison(Compilation& c, const syntax::Compare& e, const Expr& expr);
/// `yes if test else no`.
Item lower_ternary(Compilation& c, const syntax::IfExp& e, const Expr& expr);
/// One of the two that `arm(0)` and `arm(1)` give, each of which is evaluated if it is the one.
Item choose(Compilation& c, ir::InstId test, const std::function<Item(int)>& arm, const std::array<Range, 2>& ranges,
            const Range& range);
/// Whether a test is known at compile time, and what it is.
StaticTest static_test(Compilation& c, const Expr& test);

}  // namespace qd::frontend
