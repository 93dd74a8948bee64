// Decisions of a function, the conditions of each, and the order in which Python evaluates them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/syntax/ast.h"

namespace qd::syntax {

/// Use of the outcome of a decision: as the test of an `if`, `while`, `assert` or conditional expression, or as a
/// value.
enum class DecisionKind : uint8_t { If, While, Assert, Ternary, Value };
/// Name of a kind: "if", "while", "assert", "ternary", "value".
std::string_view name(DecisionKind kind);

/// A condition: an operand of and, or, not; or one link of a chained comparison, from its left operand to its right
/// one.
struct Condition {
  /// Outcomes of the decision, in place of the number of a condition.
  static constexpr uint32_t kTrue = UINT32_MAX;
  static constexpr uint32_t kFalse = UINT32_MAX - 1;

  ExprPtr expr = nullptr;  // for a link: the whole comparison
  uint32_t link = 0;       // its number in the comparison
  Range range;
  uint32_t if_true = kTrue;  // the condition that Python evaluates next; always a later one
  uint32_t if_false = kFalse;
};

/// A decision: an expression of and, or, not and chained comparisons that is not part of another one, and has two
/// conditions or more. For the test of an assert or a conditional expression, one condition is enough. A plain `if x >
/// 0` is no decision, because its branches say the same.
struct Decision {
  DecisionKind kind = DecisionKind::Value;
  ExprPtr expr = nullptr;
  std::vector<Condition> conditions;  // from left to right; the first is evaluated first
};

/// The decisions in a function's body, in the order of their begin, outer ones first. An expression for which
/// `compile_time` is true (a call of qd.static) is not searched, and is no decision by itself. Nested functions,
/// classes, lambdas and comprehensions are left out.
std::vector<Decision> decisions(const FunctionDef& function,
                                const std::function<bool(const Expr&)>& compile_time = nullptr);

/// Number of ways to evaluate a decision with short circuit; at most `limit` + 1.
uint64_t count_ways(const Decision& decision, uint64_t limit);

/// All ways to evaluate a decision: a letter for each condition (T, F, or - when it is not evaluated) and one for the
/// outcome. The number of a way is the sum of weights() over its true conditions.
std::vector<std::string> ways(const Decision& decision);

/// Weight of each condition, added to the number of a way when it is true: the number of ways to go on from it when it
/// is false (Ball and Larus, Efficient path profiling, 1996). Only for a decision whose number of ways fits 64 bits.
std::vector<uint64_t> weights(const Decision& decision);

}  // namespace qd::syntax
