// Operators in the syntax tree: `a + b`, `-a`, `not a`.
#include "runtime/frontend/expressions/expressions.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/object_operators.h"
#include "runtime/frontend/memory/tuples.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/elementwise.h"
#include "runtime/frontend/values/operators.h"

namespace qd::frontend {

using ir::Type;
using syntax::Expr;
using syntax::Range;

Item lower_binop(Compilation& c, const syntax::BinOp& e, const Expr& expr) {
  Item left = evaluate(c, *e.left);
  Item right = evaluate(c, *e.right);
  return operate(c, e.op, left, right, {e.left->range, e.right->range}, expr.range);
}

Item operate(Compilation& c, syntax::Operator op, const Item& left, const Item& right,
             const std::array<Range, 2>& ranges, const Range& range) {
  if (poisoned(left) || poisoned(right)) return Poison{};
  if (auto result = object_operator(c, op, left, right, range)) return *result;
  auto is_tuple = [](const Item& item) { return std::holds_alternative<Items>(item) || known_as<Tuple>(item); };
  if (!is_tensor(left) && !is_tensor(right)) {
    if (auto result = container_operator(c, op, left, right, range)) return *result;
  }
  if ((is_tuple(left) || is_tuple(right)) && !is_tensor(left) && !is_tensor(right)) {
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("`{}` does not work on {} and {} in kernels", text(op), describe_item(c, left),
                                      describe_item(c, right)));
  }
  if (is_tensor(left) || is_tensor(right)) return apply_operator(c, op, left, right, range);
  if (!is_a_number(left) && !number_type(c, left, ranges[0])) return Poison{};
  if (!is_a_number(right) && !number_type(c, right, ranges[1])) return Poison{};
  return apply_operator(c, op, left, right, range);
}

Item lower_unaryop(Compilation& c, const syntax::UnaryOp& e, const Expr& expr) {
  if (e.op == syntax::UnaryOperator::Not && std::holds_alternative<syntax::BoolOp>(e.operand->node)) {
    auto value = lower_test(c, *e.operand);
    return value ? Item(Number{c.build.unary(ir::UnaryOp::LogicalNot, *value), Type::U1}) : Item(Poison{});
  }
  Item operand = evaluate(c, *e.operand);
  if (auto result = object_operator(c, e.op, operand, expr.range)) return *result;
  auto* known = known_number(operand);
  const bool number = known && !(std::holds_alternative<bool>(*known) && e.op == syntax::UnaryOperator::Invert);
  if (number && e.op != syntax::UnaryOperator::Not) {
    Outcome result = frontend::unary(e.op, *known);
    if (result.value) return Item(*std::move(result.value));
  }
  if (e.op == syntax::UnaryOperator::Not && is_tensor(operand)) {
    return elementwise(c, std::array{operand}, expr.range, [&](const std::vector<Item>& x) -> Item {
      auto value = to_condition(c, x[0], e.operand->range);
      return value ? Item(Number{c.build.unary(ir::UnaryOp::LogicalNot, *value), Type::U1}) : Item(Poison{});
    });
  }
  if (e.op == syntax::UnaryOperator::Not) {
    auto value = to_condition(c, object_truth(c, operand, e.operand->range), e.operand->range);
    return value ? Item(Number{c.build.unary(ir::UnaryOp::LogicalNot, *value), Type::U1}) : Item(Poison{});
  }
  if (e.op == syntax::UnaryOperator::Invert) return bit_not(c, operand, expr.range);
  return signed_value(c, e.op, operand, e.operand->range);
}

}  // namespace qd::frontend
