// Where a function decides: its decisions, the conditions of each, and in which order Python evaluates them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/syntax/ast.h"

namespace qd::syntax {

/// What the outcome of a decision decides: the test of an `if`, `while`, `assert` or conditional expression, or a
/// value.
enum class DecisionKind : uint8_t { If, While, Assert, Ternary, Value };
/// "if", "while", "assert", "ternary", "value".
std::string_view name(DecisionKind kind);

/// An operand of and, or, not, or one link of a chained comparison (from its left operand to its right one).
struct Condition {
  /// Instead of a condition's number: the outcome of the decision.
  static constexpr uint32_t kTrue = UINT32_MAX;
  static constexpr uint32_t kFalse = UINT32_MAX - 1;

  ExprPtr expr = nullptr;  // of a link: the comparison
  uint32_t link = 0;       // its number in the comparison
  Range range;
  uint32_t if_true = kTrue;  // the condition that Python evaluates next; always a later one
  uint32_t if_false = kFalse;
};

/// An outermost expression of and, or, not and chained comparisons that has two conditions or more; for the test of an
/// assert or a conditional expression, one is enough. A plain `if x > 0` is none: its branches say as much.
struct Decision {
  DecisionKind kind = DecisionKind::Value;
  ExprPtr expr = nullptr;
  std::vector<Condition> conditions;  // from left to right; the first is evaluated first
};

/// The decisions of a function's body, by where they begin, outer ones first. Expressions that `compile_time` knows
/// (calls of qd.static) are not looked into, and are no decision alone; nested functions, classes, lambdas and
/// comprehensions are left out.
std::vector<Decision> decisions(const FunctionDef& function,
                                const std::function<bool(const Expr&)>& compile_time = nullptr);

/// How many ways there are to evaluate a decision with short circuit; no more than `limit` + 1.
uint64_t count_ways(const Decision& decision, uint64_t limit);

/// All ways, a letter for each condition (T, F, or - where it is not evaluated) and one for the outcome. A way's number
/// is the sum of Weights over its true conditions.
std::vector<std::string> ways(const Decision& decision);

/// What each condition adds to the number of a way when it is true: the ways that begin with its being false (Ball and
/// Larus, Efficient path profiling, 1996). Only for a decision whose ways fit 64 bits.
std::vector<uint64_t> weights(const Decision& decision);

}  // namespace qd::syntax
