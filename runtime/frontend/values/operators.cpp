// Arithmetic operators on numbers, vectors and matrices.
#include "runtime/frontend/values/operators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/elementwise.h"
#include "runtime/frontend/values/functions.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::Type;
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

/// The operator of Python for a binary operation on known numbers.
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

/// Folds an operator on two known numbers, exactly. Nothing when one is not known, or for a case in which Python has no
/// result but a kernel does.
std::optional<Item> fold_binary(Compilation& c, ir::BinaryOp op, const Item& a, const Item& b, const Range& range);

}  // namespace

Item apply_operator(Compilation& c, Operator op, const Item& a, const Item& b, const Range& range) {
  auto binary = binary_op(op);
  if (!binary) return matrix_product(c, a, b, range);
  return apply_binary(c, *binary, a, b, text(op), range);
}

Item apply_binary(Compilation& c, BinaryOp op, const Item& a, const Item& b, std::string_view text,
                  const Range& range) {
  if (is_tensor(a) || is_tensor(b)) {
    return elementwise(c, std::array{a, b}, range,
                       [&](const std::vector<Item>& x) { return apply_binary(c, op, x[0], x[1], text, range); });
  }
  if (auto known = fold_binary(c, op, a, b, range)) return *known;
  auto types = operand_types(c, a, b, range);
  if (!types) return Poison{};
  const auto [left, right] = *types;
  // A power whose exponent is a constant is a product of its base: i8 ** 2 is an i8.
  auto* exponent = op == BinaryOp::Pow && left != Type::U1 && ir::is_integer(left) && ir::is_integer(right)
                       ? known_number(b)
                       : nullptr;
  const bool product = exponent && fits(*exponent, left);
  Type type = is_shift(op) || product ? left : ir::promote(left, right);
  if (type == Type::U1 && !is_bitwise(op)) type = c.options.default_ip;
  if (op == BinaryOp::Div && !ir::is_float(type)) type = c.options.default_fp;
  if ((is_shift(op) && ir::is_float(right)) || ((is_shift(op) || is_bitwise(op)) && ir::is_float(type))) {
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("unsupported operand type(s) for '{}': it needs integers, not {} and {}", text,
                                      ir::name(left), ir::name(right)));
  }
  auto x = coerce(c, a, type, range);
  auto y = coerce(c, b, type, range);
  check_integers(c, op, type, *x, *y, range);
  return Number{c.build.binary(op, *x, *y), type};
}

namespace {

std::optional<Item> fold_binary(Compilation& c, BinaryOp op, const Item& a, const Item& b, const Range& range) {
  auto *x = known_number(a), *y = known_number(b);
  auto python = python_operator(op);
  if (!x || !y || !python) return std::nullopt;
  Outcome result = frontend::binary(*python, *x, *y);
  if (result.value) return Item(*std::move(result.value));
  if (result.is_impossible) return c.report.error(ErrorKind::Type, range, std::move(result.error));
  return std::nullopt;
}

}  // namespace

Item signed_value(Compilation& c, syntax::UnaryOperator op, const Item& operand, const Range& range) {
  if (is_tensor(operand)) {
    return elementwise(c, std::array{operand}, range,
                       [&](const std::vector<Item>& x) { return signed_value(c, op, x[0], range); });
  }
  auto type = number_type(c, operand, range);
  if (!type) return Poison{};
  if (*type == Type::U1) type = c.options.default_ip;
  auto value = coerce(c, operand, *type, range);
  if (op == syntax::UnaryOperator::UAdd) return Number{*value, *type};
  return Number{c.build.unary(ir::UnaryOp::Neg, *value), *type};
}

Item bit_not(Compilation& c, const Item& operand, const Range& range) {
  if (is_tensor(operand)) {
    return elementwise(c, std::array{operand}, range,
                       [&](const std::vector<Item>& x) { return bit_not(c, x[0], range); });
  }
  auto value = to_number(c, operand, range);
  if (!value) return Poison{};
  if (ir::is_float(value->type)) {
    return c.report.error(ErrorKind::Type, range, fmt::format("`~` needs an integer, not {}", ir::name(value->type)));
  }
  if (value->type == Type::U1) return Number{c.build.unary(ir::UnaryOp::LogicalNot, value->id), Type::U1};
  return Number{c.build.unary(ir::UnaryOp::BitNot, value->id), value->type};
}

Item matrix_product(Compilation& c, const Item& a, const Item& b, const Range& range) {
  auto left = as_tensor(c, a, range), right = as_tensor(c, b, range);
  const bool fits = left && right && (left->shape.size() == 1 ? left->shape[0] : left->shape[1]) == right->shape[0];
  if (!fits) {
    if (poisoned(a) || poisoned(b)) return Poison{};
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("`@` does not work on {} and {}", describe_item(c, a), describe_item(c, b)));
  }
  const int32_t rows = left->shape.size() == 1 ? 1 : left->shape[0];
  const int32_t columns = right->shape.size() == 1 ? 1 : right->shape[1];
  const int32_t inner = right->shape[0];
  std::vector<Item> numbers;
  for (int32_t row = 0; row < rows; ++row) {
    for (int32_t column = 0; column < columns; ++column) {
      std::vector<Item> products;
      for (int32_t k = 0; k < inner; ++k) {
        products.push_back(multiply(c, component_item(*left, static_cast<size_t>(row * inner + k)),
                                    component_item(*right, static_cast<size_t>(k * columns + column)), range));
      }
      numbers.push_back(sum_of(c, products, range));
    }
  }
  if (left->shape.size() == 1 && right->shape.size() == 1) return numbers[0];  // the dot product
  std::vector<int32_t> shape;
  if (left->shape.size() == 2) shape.push_back(rows);
  if (right->shape.size() == 2) shape.push_back(columns);
  auto result = tensor_of(c, numbers, std::move(shape), std::nullopt, range);
  return result ? Item(*result) : Item(Poison{});
}

}  // namespace qd::frontend
