// Binary and unary operators: promotion of types, and what each operator accepts.
#include <fmt/format.h>

#include "runtime/frontend/elementwise.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::Type;
using syntax::Expr;
using syntax::Operator;
using syntax::Range;

namespace {

std::optional<BinaryOp> binary_op(Operator op) {
  switch (op) {
    case Operator::Add: return BinaryOp::Add;
    case Operator::Sub: return BinaryOp::Sub;
    case Operator::Mult: return BinaryOp::Mul;
    case Operator::Div: return BinaryOp::Div;
    case Operator::Mod: return BinaryOp::Mod;
    case Operator::Pow: return BinaryOp::Pow;
    case Operator::LShift: return BinaryOp::Shl;
    case Operator::RShift: return BinaryOp::Shr;
    case Operator::BitOr: return BinaryOp::BitOr;
    case Operator::BitXor: return BinaryOp::BitXor;
    case Operator::BitAnd: return BinaryOp::BitAnd;
    case Operator::FloorDiv: return BinaryOp::FloorDiv;
    case Operator::MatMult: return std::nullopt;
  }
  return std::nullopt;
}

/// The operator of Python that a binary operation is of numbers that are known.
std::optional<Operator> python_operator(BinaryOp op) {
  constexpr Operator kOperators[] = {Operator::Add,   Operator::Sub,    Operator::Mult,   Operator::Div,
                                     Operator::Mod,   Operator::Pow,    Operator::LShift, Operator::RShift,
                                     Operator::BitOr, Operator::BitXor, Operator::BitAnd, Operator::FloorDiv};
  for (Operator python : kOperators) {
    if (binary_op(python) == op) return python;
  }
  return std::nullopt;
}

bool is_shift(BinaryOp op) { return op == BinaryOp::Shl || op == BinaryOp::Shr || op == BinaryOp::LogicalShr; }
bool is_bitwise(BinaryOp op) { return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor; }

}  // namespace

Item Lowering::binop(const syntax::BinOp& e, const Expr& expr) {
  Item left = eval(*e.left);
  Item right = eval(*e.right);
  if (poisoned(left) || poisoned(right)) return Poison{};
  auto is_tuple = [](const Item& item) {
    auto* value = std::get_if<Value>(&item);
    return std::holds_alternative<Items>(item) || (value && std::holds_alternative<Tuple>(*value));
  };
  if (!is_tensor(left) && !is_tensor(right)) {
    if (auto result = container_operator(e.op, left, right)) return *result;
  }
  if ((is_tuple(left) || is_tuple(right)) && !is_tensor(left) && !is_tensor(right)) {
    return error(ErrorKind::Type, expr.range,
                 fmt::format("`{}` does not work on {} and {} in kernels", text(e.op), describe_item(left),
                             describe_item(right)));
  }
  if (is_tensor(left) || is_tensor(right)) return apply(e.op, left, right, expr.range);
  if (!is_a_number(left) && !number_type(left, e.left->range)) return Poison{};
  if (!is_a_number(right) && !number_type(right, e.right->range)) return Poison{};
  return apply(e.op, left, right, expr.range);
}

Item Lowering::apply(Operator op, const Item& a, const Item& b, const Range& range) {
  auto binary = binary_op(op);
  if (!binary) return matrix_product(a, b, range);
  return apply_binary(*binary, a, b, text(op), range);
}

Item Lowering::apply_binary(BinaryOp op, const Item& a, const Item& b, std::string_view text, const Range& range) {
  if (is_tensor(a) || is_tensor(b)) {
    return elementwise(std::array{a, b}, range,
                       [&](const std::vector<Item>& x) { return apply_binary(op, x[0], x[1], text, range); });
  }
  if (auto known = fold_binary(op, a, b, range)) return *known;
  auto types = operand_types(a, b, range);
  if (!types) return Poison{};
  const auto [left, right] = *types;
  Type type = is_shift(op) ? left : ir::promote(left, right);
  if (type == Type::U1 && !is_bitwise(op)) type = options_.default_ip;
  if (op == BinaryOp::Div && !ir::is_float(type)) type = options_.default_fp;
  if ((is_shift(op) && ir::is_float(right)) || ((is_shift(op) || is_bitwise(op)) && ir::is_float(type))) {
    return error(ErrorKind::Type, range,
                 fmt::format("`{}` needs integers, not {} and {}", text, ir::name(left), ir::name(right)));
  }
  auto x = coerce(a, type, range);
  auto y = coerce(b, type, range);
  check_integers(op, type, *x, *y, range);
  return Number{build_.binary(op, *x, *y), type};
}

std::optional<Item> Lowering::fold_binary(BinaryOp op, const Item& a, const Item& b, const Range& range) {
  auto *x = std::get_if<Value>(&a), *y = std::get_if<Value>(&b);
  auto python = python_operator(op);
  if (!x || !y || !python || !is_number(*x) || !is_number(*y)) return std::nullopt;
  Outcome result = frontend::binary(*python, *x, *y);
  if (result.value) return Item(*std::move(result.value));
  if (result.is_impossible) return error(ErrorKind::Type, range, std::move(result.error));
  return std::nullopt;
}

Item Lowering::unaryop(const syntax::UnaryOp& e, const Expr& expr) {
  if (e.op == syntax::UnaryOperator::Not && std::holds_alternative<syntax::BoolOp>(e.operand->node)) {
    auto value = test(*e.operand);
    return value ? Item(Number{build_.unary(ir::UnaryOp::LogicalNot, *value), Type::U1}) : Item(Poison{});
  }
  Item operand = eval(*e.operand);
  auto* known = std::get_if<Value>(&operand);
  const bool number =
      known && is_number(*known) && !(std::holds_alternative<bool>(*known) && e.op == syntax::UnaryOperator::Invert);
  if (number && e.op != syntax::UnaryOperator::Not) {
    Outcome result = frontend::unary(e.op, *known);
    if (result.value) return Item(*std::move(result.value));
  }
  if (e.op == syntax::UnaryOperator::Not && is_tensor(operand)) {
    return elementwise(std::array{operand}, expr.range, [&](const std::vector<Item>& x) -> Item {
      auto value = condition(x[0], e.operand->range);
      return value ? Item(Number{build_.unary(ir::UnaryOp::LogicalNot, *value), Type::U1}) : Item(Poison{});
    });
  }
  if (e.op == syntax::UnaryOperator::Not) {
    auto value = condition(operand, e.operand->range);
    return value ? Item(Number{build_.unary(ir::UnaryOp::LogicalNot, *value), Type::U1}) : Item(Poison{});
  }
  if (e.op == syntax::UnaryOperator::Invert) return bit_not(operand, expr.range);
  return signed_value(e.op, operand, e.operand->range);
}

Item Lowering::signed_value(syntax::UnaryOperator op, const Item& operand, const Range& range) {
  if (is_tensor(operand)) {
    return elementwise(std::array{operand}, range,
                       [&](const std::vector<Item>& x) { return signed_value(op, x[0], range); });
  }
  auto type = number_type(operand, range);
  if (!type) return Poison{};
  if (*type == Type::U1) type = options_.default_ip;
  auto value = coerce(operand, *type, range);
  if (op == syntax::UnaryOperator::UAdd) return Number{*value, *type};
  return Number{build_.unary(ir::UnaryOp::Neg, *value), *type};
}

Item Lowering::bit_not(const Item& operand, const Range& range) {
  if (is_tensor(operand)) {
    return elementwise(std::array{operand}, range, [&](const std::vector<Item>& x) { return bit_not(x[0], range); });
  }
  auto value = number(operand, range);
  if (!value) return Poison{};
  if (ir::is_float(value->type)) {
    return error(ErrorKind::Type, range, fmt::format("`~` needs an integer, not {}", ir::name(value->type)));
  }
  if (value->type == Type::U1) return Number{build_.unary(ir::UnaryOp::LogicalNot, value->id), Type::U1};
  return Number{build_.unary(ir::UnaryOp::BitNot, value->id), value->type};
}

}  // namespace qd::frontend
