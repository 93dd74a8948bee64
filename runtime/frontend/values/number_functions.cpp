// Functions of numbers that have an instruction, or are a few instructions.
#include "runtime/frontend/values/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

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

// Lowers functions that are composed of others.
Item composed_function(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  std::optional<Type> type = Type::U1;
  for (const Item& arg : args) {
    auto next = number_type(c, arg, range);
    type = type && next ? std::optional(ir::promote(*type, *next)) : std::nullopt;
  }
  if (!type) return Poison{};
  bool any = info.kind == BuiltinKind::Clamp;
  if (!ir::is_float(*type) && (!any || *type == Type::U1)) type = any ? c.options.default_ip : c.options.default_fp;
  std::vector<InstId> x;
  for (const Item& arg : args) x.push_back(*coerce(c, arg, *type, range));
  auto of = [&](BinaryOp op, InstId a, InstId b) { return c.build.binary(op, a, b); };
  auto literal = [&](double v) { return c.build.constant(*type, Value(v)); };
  // One instruction a statement: C++ leaves the order of arguments to the compiler, and the kernel must not depend on
  // it.
  auto clamp = [&](InstId v, InstId low, InstId high) { return of(BinaryOp::Min, of(BinaryOp::Max, v, low), high); };
  InstId result = InstId::None;
  switch (info.kind) {
    case BuiltinKind::FloatBinary: result = of(static_cast<BinaryOp>(info.operation), x[0], x[1]); break;
    case BuiltinKind::Clamp: result = clamp(x[0], x[1], x[2]); break;
    case BuiltinKind::Mix: {
      InstId rest = of(BinaryOp::Sub, literal(1), x[2]);
      InstId from = of(BinaryOp::Mul, x[0], rest);
      InstId to = of(BinaryOp::Mul, x[1], x[2]);
      result = of(BinaryOp::Add, from, to);
      break;
    }
    case BuiltinKind::Fract: result = of(BinaryOp::Sub, x[0], c.build.unary(UnaryOp::Floor, x[0])); break;
    case BuiltinKind::Step: {
      InstId below = c.build.compare(ir::CompareOp::Lt, x[1], x[0]);
      result = c.build.inst(Op::Select, *type, {below, literal(0), literal(1)});
      break;
    }
    case BuiltinKind::SmoothStep: {
      InstId way = of(BinaryOp::Sub, x[2], x[0]);
      InstId width = of(BinaryOp::Sub, x[1], x[0]);
      InstId low = literal(0);
      InstId high = literal(1);
      InstId t = clamp(of(BinaryOp::Div, way, width), low, high);
      InstId three = literal(3);
      InstId two = literal(2);
      InstId slope = of(BinaryOp::Sub, three, of(BinaryOp::Mul, two, t));
      result = of(BinaryOp::Mul, of(BinaryOp::Mul, t, t), slope);
      break;
    }
    case BuiltinKind::Radians: result = of(BinaryOp::Mul, x[0], literal(std::numbers::pi / 180)); break;
    default: result = of(BinaryOp::Mul, x[0], literal(180 / std::numbers::pi)); break;
  }
  return Number{result, *type};
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
