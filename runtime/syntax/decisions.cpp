// Finds decisions, and numbers the ways to evaluate them.
#include "runtime/syntax/decisions.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "runtime/syntax/tree_walk.h"

namespace qd::syntax {

namespace {

class Finder {
 public:
  explicit Finder(const std::function<bool(const Expr&)>& compile_time) : compile_time_(compile_time) {}

  void suite(List<StmtPtr> statements) {
    for (const Stmt* stmt : statements) statement(*stmt);
  }

  std::vector<Decision> found;

 private:
  void statement(const Stmt& stmt) {
    if (std::holds_alternative<FunctionDef>(stmt.node) || std::holds_alternative<ClassDef>(stmt.node)) return;
    auto [test, kind] = test_of(stmt);
    for_each_expression(stmt, [&, test = test, kind = kind](const Expr& expr) {
      expression(expr, &expr == test ? kind : DecisionKind::Value);
    });
    for_each_suite(stmt, [&](List<StmtPtr> inner) { suite(inner); });
  }

  static std::pair<ExprPtr, DecisionKind> test_of(const Stmt& stmt) {
    if (auto* s = std::get_if<If>(&stmt.node)) return {s->test, DecisionKind::If};
    if (auto* s = std::get_if<While>(&stmt.node)) return {s->test, DecisionKind::While};
    if (auto* s = std::get_if<Assert>(&stmt.node)) return {s->test, DecisionKind::Assert};
    return {nullptr, DecisionKind::Value};
  }

  void expression(const Expr& expr, DecisionKind kind) {
    open_ = {{&expr, kind}};
    while (!open_.empty()) {
      auto [current, current_kind] = open_.back();
      open_.pop_back();
      Decision decision{current_kind, current, {}};
      formula(*current, Condition::kTrue, Condition::kFalse, decision.conditions);
      if (is_decision(decision)) {
        number_from_the_left(decision.conditions);
        found.push_back(std::move(decision));
      }
    }
  }

  bool is_decision(const Decision& decision) const {
    if (decision.conditions.size() != 1) return true;
    bool test = decision.kind == DecisionKind::Assert || decision.kind == DecisionKind::Ternary;
    return test && !(compile_time_ && compile_time_(*decision.conditions[0].expr));
  }

  /// Adds the conditions of an expression, from right to left; returns the number of its first.
  uint32_t formula(const Expr& expr, uint32_t if_true, uint32_t if_false, std::vector<Condition>& conditions) {
    if (auto* e = std::get_if<BoolOp>(&expr.node)) {
      bool is_and = e->op == BoolOperator::And;
      uint32_t next = formula(*e->values.back(), if_true, if_false, conditions);
      for (size_t i = e->values.size() - 1; i-- > 0;) {
        next = is_and ? formula(*e->values[i], next, if_false, conditions)
                      : formula(*e->values[i], if_true, next, conditions);
      }
      return next;
    }
    if (auto* e = std::get_if<UnaryOp>(&expr.node); e && e->op == UnaryOperator::Not)
      return formula(*e->operand, if_false, if_true, conditions);
    if (auto* e = std::get_if<Compare>(&expr.node); e && e->ops.size() > 1) {
      uint32_t next = if_true;
      for (size_t i = e->ops.size(); i-- > 0;) {
        const Range& left = (i == 0 ? e->left : e->comparators[i - 1])->range;
        const Range& right = e->comparators[i]->range;
        next =
            add({&expr, static_cast<uint32_t>(i), {left.line, left.col, right.end_line, right.end_col}, next, if_false},
                conditions);
      }
      for_each_child(expr, [&](const Expr& operand) { open_.push_back({&operand, DecisionKind::Value}); });
      return next;
    }
    look_into(expr);
    return add({&expr, 0, expr.range, if_true, if_false}, conditions);
  }

  static uint32_t add(const Condition& condition, std::vector<Condition>& conditions) {
    conditions.push_back(condition);
    return static_cast<uint32_t>(conditions.size() - 1);
  }

  /// Notes an expression inside of a condition, to be searched later.
  void look_into(const Expr& expr) {
    bool own_scope = std::visit(
        []<class Node>(const Node&) {
          return std::is_same_v<Node, Lambda> || std::is_same_v<Node, ListComp> || std::is_same_v<Node, SetComp> ||
                 std::is_same_v<Node, DictComp> || std::is_same_v<Node, GeneratorExp>;
        },
        expr.node);
    if (own_scope || (compile_time_ && compile_time_(expr))) return;
    auto* ternary = std::get_if<IfExp>(&expr.node);
    for_each_child(expr, [&](const Expr& child) {
      open_.push_back({&child, ternary && &child == ternary->test ? DecisionKind::Ternary : DecisionKind::Value});
    });
  }

  static void number_from_the_left(std::vector<Condition>& conditions) {
    auto last = static_cast<uint32_t>(conditions.size() - 1);
    for (Condition& condition : conditions) {
      for (uint32_t* next : {&condition.if_true, &condition.if_false}) {
        if (*next <= last) *next = last - *next;
      }
    }
    std::reverse(conditions.begin(), conditions.end());
  }

  const std::function<bool(const Expr&)>& compile_time_;
  std::vector<std::pair<ExprPtr, DecisionKind>> open_;
};

/// Number of ways from each condition to an outcome; none is larger than `limit` + 1.
std::vector<uint64_t> ways_from(const Decision& decision, uint64_t limit) {
  std::vector<uint64_t> from(decision.conditions.size());
  auto after = [&](uint32_t next) { return next < from.size() ? from[next] : 1; };
  for (size_t i = from.size(); i-- > 0;) {
    from[i] = std::min(after(decision.conditions[i].if_true) + after(decision.conditions[i].if_false), limit + 1);
  }
  return from;
}

}  // namespace

std::string_view name(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::If: return "if";
    case DecisionKind::While: return "while";
    case DecisionKind::Assert: return "assert";
    case DecisionKind::Ternary: return "ternary";
    case DecisionKind::Value: return "value";
  }
  return "";
}

std::vector<Decision> decisions(const FunctionDef& function, const std::function<bool(const Expr&)>& compile_time) {
  Finder finder(compile_time);
  finder.suite(function.body);
  std::sort(finder.found.begin(), finder.found.end(), [](const Decision& a, const Decision& b) {
    const Range& x = a.expr->range;
    const Range& y = b.expr->range;
    return std::tie(x.line, x.col, y.end_line, y.end_col) < std::tie(y.line, y.col, x.end_line, x.end_col);
  });
  return std::move(finder.found);
}

uint64_t count_ways(const Decision& decision, uint64_t limit) { return ways_from(decision, limit).front(); }

std::vector<std::string> ways(const Decision& decision) {
  // Depth first, false before true, which is the order of their numbers.
  std::vector<std::string> result;
  std::vector<std::pair<uint32_t, std::string>> open{{0, std::string(decision.conditions.size() + 1, '-')}};
  while (!open.empty()) {
    auto [next, letters] = std::move(open.back());
    open.pop_back();
    if (next >= decision.conditions.size()) {
      letters.back() = next == Condition::kTrue ? 'T' : 'F';
      result.push_back(std::move(letters));
      continue;
    }
    letters[next] = 'T';
    open.push_back({decision.conditions[next].if_true, letters});
    letters[next] = 'F';
    open.push_back({decision.conditions[next].if_false, std::move(letters)});
  }
  return result;
}

std::vector<uint64_t> weights(const Decision& decision) {
  std::vector<uint64_t> from = ways_from(decision, UINT64_MAX - 1);
  std::vector<uint64_t> result;
  for (const Condition& condition : decision.conditions)
    result.push_back(condition.if_false < from.size() ? from[condition.if_false] : 1);
  return result;
}

}  // namespace qd::syntax
