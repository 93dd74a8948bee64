// Functions of numbers that have an instruction, or are a few instructions.
#include "runtime/frontend/values/functions.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/number_arithmetic.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/elementwise.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using ir::UnaryOp;
using syntax::Range;

namespace {

/// The least or the largest of numbers that are known; a float when one of them is.
std::optional<Item> fold_known(BinaryOp op, const std::vector<Item>& args) {
  const Value* best = nullptr;
  bool any_float = false, all_bool = true;
  for (const Item& arg : args) {
    auto* value = known_number(arg);
    if (!value) return std::nullopt;
    any_float |= std::holds_alternative<double>(*value);
    all_bool &= std::holds_alternative<bool>(*value);
    const auto order = best ? compare_numbers(*value, *best) : std::partial_ordering::less;
    if (order == std::partial_ordering::unordered) return std::nullopt;
    if (!best || (op == BinaryOp::Min ? order < 0 : order > 0)) best = value;
  }
  if (all_bool) return std::nullopt;
  if (any_float) return Item(Value(as_double(*best)));
  return Item(std::holds_alternative<bool>(*best) ? Value(*as_integer(*best)) : *best);
}

}  // namespace

// Lowers a function of one number: as a float if the function needs one, else unchanged.
Item float_function(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  auto type = number_type(c, args[0], range);
  if (!type) return Poison{};
  auto op = static_cast<UnaryOp>(info.operation);
  if (info.kind == BuiltinKind::BitCount) {
    if (!ir::is_integer(*type)) {
      return c.report.error(ErrorKind::Type, range,
                            fmt::format("`{}` needs an integer, not {}", info.name, ir::name(*type)));
    }
    Type wide = *type == Type::U1 ? Type::I32 : *type;
    return Number{c.build.cast(Type::I32, c.build.unary(op, *coerce(c, args[0], wide, range))), Type::I32};
  }
  bool keeps_integers = info.kind == BuiltinKind::NumberFunction;
  if (auto* known = std::get_if<Value>(&args[0]);
      known && op == UnaryOp::Abs && keeps_integers && !std::holds_alternative<bool>(*known)) {
    const bool below = compare_numbers(*known, Value(int64_t{0})) < 0;
    return *frontend::unary(below ? syntax::UnaryOperator::USub : syntax::UnaryOperator::UAdd, *known).value;
  }
  if (keeps_integers && *type == Type::U1) type = c.options.default_ip;
  if (!keeps_integers && !ir::is_float(*type)) type = c.options.default_fp;
  InstId value = *coerce(c, args[0], *type, range);
  if (op == UnaryOp::Abs && ir::is_unsigned(*type)) return Number{value, *type};
  InstId result = c.build.unary(op, value);
  return Number{result, c.kernel[result].type};
}

Item round_number(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  auto value = to_number(c, args[0], range);
  if (!value) return Poison{};
  Number result = ir::is_float(value->type)
                      ? Number{c.build.unary(static_cast<UnaryOp>(info.operation), value->id), value->type}
                      : *value;
  if (args.size() == 1) return result;
  auto type = dtype_argument(c, args[1], range);
  return type ? Item(Number{c.build.cast(*type, result.id), *type}) : Item(Poison{});
}

Item fold_values(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  if (auto known = fold_known(static_cast<BinaryOp>(info.operation), args)) return *known;
  auto type = number_type(c, args[0], range);
  for (size_t i = 1; i < args.size(); ++i) {
    auto next = number_type(c, args[i], range);
    type = type && next ? std::optional(ir::promote(*type, *next)) : std::nullopt;
  }
  if (!type) return Poison{};
  if (*type == Type::U1) type = c.options.default_ip;
  InstId result = *coerce(c, args[0], *type, range);
  for (size_t i = 1; i < args.size(); ++i) {
    result = c.build.binary(static_cast<BinaryOp>(info.operation), result, *coerce(c, args[i], *type, range));
  }
  return Number{result, *type};
}

Item float_binary(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  auto left = number_type(c, args[0], range);
  auto right = number_type(c, args[1], range);
  if (!left || !right) return Poison{};
  Type type = ir::promote(*left, *right);
  if (!ir::is_float(type)) type = c.options.default_fp;
  InstId x = *coerce(c, args[0], type, range);
  InstId y = *coerce(c, args[1], type, range);
  return Number{c.build.binary(static_cast<BinaryOp>(info.operation), x, y), type};
}

Item bit_cast(Compilation& c, const std::vector<Item>& args, const Range& range) {
  if (args.size() != 2) return c.report.error(ErrorKind::Type, range, "`bit_cast` takes a value and a dtype");
  auto type = dtype_argument(c, args[1], range);
  auto value = to_number(c, args[0], range);
  if (!type || !value) return Poison{};
  if (ir::bit_width(*type) != ir::bit_width(value->type)) {
    return c.report.error(
        ErrorKind::Type, range,
        fmt::format("`bit_cast` needs types of one width, not {} and {}", ir::name(value->type), ir::name(*type)));
  }
  return Number{value->type == *type ? value->id : c.build.inst(Op::BitCast, *type, {value->id}), *type};
}

Item select_values(Compilation& c, const std::vector<Item>& args, const Range& range) {
  if (std::ranges::any_of(args, is_tensor)) {
    return elementwise(c, args, range, [&](const std::vector<Item>& x) { return select_values(c, x, range); });
  }
  auto test = to_condition(c, args[0], range);
  auto yes = number_type(c, args[1], range);
  auto no = number_type(c, args[2], range);
  if (!test || !yes || !no) return Poison{};
  Type type = ir::promote(*yes, *no);
  InstId a = *coerce(c, args[1], type, range);
  InstId b = *coerce(c, args[2], type, range);
  return Number{c.build.inst(Op::Select, type, {*test, a, b}), type};
}

Item random_number(Compilation& c, const std::vector<Item>& args, const Range& range) {
  auto type = args.empty() ? std::optional(c.options.default_fp) : dtype_argument(c, args[0], range);
  return type ? Item(Number{c.build.inst(Op::Random, *type, {}), *type}) : Item(Poison{});
}

}  // namespace qd::frontend
