// Calls of the language's own functions.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "runtime/frontend/elementwise.h"
#include "runtime/frontend/number_arithmetic.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using ir::UnaryOp;
using syntax::Expr;
using syntax::Range;

Item Lowering::call_builtin(const BuiltinInfo& info, const syntax::Call& e, const Expr& expr) {
  const Range& range = expr.range;
  auto with_arguments = [&](size_t least, size_t most, auto&& make) -> Item {
    auto args = arguments(e, expr, info.name, least, most);
    if (!args) return Poison{};
    if (std::ranges::any_of(*args, is_tensor) && info.kind != BuiltinKind::Len) return elementwise(*args, range, make);
    return make(*args);
  };
  auto to_type = [&](Type type) {
    return with_arguments(1, 1, [&](const std::vector<Item>& args) -> Item {
      auto value = converted(args[0], type, range);
      return value ? Item(Number{*value, type}) : Item(Poison{});
    });
  };
  switch (info.kind) {
    case BuiltinKind::FloatFunction:
    case BuiltinKind::Predicate:
    case BuiltinKind::BitCount:
    case BuiltinKind::NumberFunction:
      return with_arguments(1, 1, [&](const auto& args) { return float_function(info, args, range); });
    case BuiltinKind::Rounding:
      return with_arguments(1, 2, [&](const auto& args) { return rounding(info, args, range); });
    case BuiltinKind::BitNot: return with_arguments(1, 1, [&](const auto& args) { return bit_not(args[0], range); });
    case BuiltinKind::LogicalNot:
      return with_arguments(1, 1, [&](const auto& args) -> Item {
        auto value = condition(args[0], range);
        return value ? Item(Number{build_.unary(UnaryOp::LogicalNot, *value), Type::U1}) : Item(Poison{});
      });
    case BuiltinKind::BinaryFunction:
      return with_arguments(2, 2, [&](const auto& args) {
        return apply_binary(static_cast<BinaryOp>(info.operation), args[0], args[1], info.name, range);
      });
    case BuiltinKind::Fold:
      return with_arguments(1, SIZE_MAX, [&](const auto& args) -> Item {
        if (args.size() > 1) return fold(info, args, range);
        auto items = iterated_items(args[0], range);
        if (items && items->size() > 1) return fold(info, *items, range);
        if (items && items->size() == 1) return signed_value(syntax::UnaryOperator::UAdd, (*items)[0], range);
        return error(ErrorKind::Type, range,
                     fmt::format("`{}` takes two or more numbers, or a list of them", info.name));
      });
    case BuiltinKind::FloatBinary:
    case BuiltinKind::Step: return with_arguments(2, 2, [&](const auto& args) { return composed(info, args, range); });
    case BuiltinKind::Clamp:
    case BuiltinKind::Mix:
    case BuiltinKind::SmoothStep:
      return with_arguments(3, 3, [&](const auto& args) { return composed(info, args, range); });
    case BuiltinKind::FindSetBit:
      return with_arguments(3, 3, [&](const auto& args) { return find_set_bit(args, range); });
    case BuiltinKind::Fract:
    case BuiltinKind::Radians:
    case BuiltinKind::Degrees:
      return with_arguments(1, 1, [&](const auto& args) { return composed(info, args, range); });
    case BuiltinKind::Log2:
    case BuiltinKind::Exp2:
    case BuiltinKind::Frexp:
    case BuiltinKind::Zero:
    case BuiltinKind::One:
      return with_arguments(1, 1, [&](const auto& args) { return more_functions(info, args, range); });
    case BuiltinKind::Randn:
      return with_arguments(0, 1, [&](const auto& args) { return more_functions(info, args, range); });
    case BuiltinKind::Same: {
      for (const syntax::Keyword& keyword : e.keywords) static_value(*keyword.value);  // loop_unique(x, covers=...)
      if (e.args.empty()) return error(ErrorKind::Type, range, fmt::format("`{}` takes a number", info.name));
      Item list = display(e.args);
      return std::get<Items>(list).list[0];
    }
    case BuiltinKind::Container: return container_call(info, e, expr);
    case BuiltinKind::Atomic:
    case BuiltinKind::AtomicCas: return atomic(info, e, expr);
    case BuiltinKind::IntType: return to_type(options_.default_ip);
    case BuiltinKind::FloatType: return to_type(options_.default_fp);
    case BuiltinKind::BoolType: return to_type(Type::U1);
    case BuiltinKind::Cast:
      return with_arguments(1, 2, [&](const auto& args) -> Item {
        if (args.size() != 2) return error(ErrorKind::Type, range, "`cast` takes a value and a dtype");
        auto type = dtype_argument(args[1], range);
        auto value = type ? coerce(args[0], *type, range) : std::nullopt;
        return value ? Item(Number{*value, *type}) : Item(Poison{});
      });
    case BuiltinKind::BitCast: return with_arguments(1, 2, [&](const auto& args) { return bit_cast(args, range); });
    case BuiltinKind::Select: return with_arguments(3, 3, [&](const auto& args) { return select(args, range); });
    case BuiltinKind::ThreadIndex:
      return with_arguments(
          0, 0, [&](const auto&) -> Item { return Number{*coerce(thread_number(), Type::I32, range), Type::I32}; });
    case BuiltinKind::Random: return with_arguments(0, 1, [&](const auto& args) { return random(args, range); });
    case BuiltinKind::Len: return with_arguments(1, 1, [&](const auto& args) { return length(args, range); });
    case BuiltinKind::View: return make_view(e, range);
    case BuiltinKind::Static: return static_value(expr);
    case BuiltinKind::Print: print(e, expr); return Value(None{});
    case BuiltinKind::StaticAssert: static_assert_call(e, expr); return Value(None{});
    case BuiltinKind::StaticPrint: static_print(e); return Value(None{});
    case BuiltinKind::LoopConfig: loop_config(e, expr); return Value(None{});
    case BuiltinKind::TensorValue:
    case BuiltinKind::TensorMaker: return make_tensor(info, e, expr);
    case BuiltinKind::TensorFunction: {
      auto args = arguments(e, expr, info.name, 1, 3);
      return args ? tensor_function(info.name.substr(info.name.find('.') + 1), *args, range) : Item(Poison{});
    }
    case BuiltinKind::StructValue: return struct_of_members(e, expr);
    case BuiltinKind::CompoundTypeMaker: return static_value(expr);
    case BuiltinKind::Range:
    case BuiltinKind::NdRange:
    case BuiltinKind::Grouped:
    case BuiltinKind::Zip:
    case BuiltinKind::Enumerate: return call_range_like(info, expr);
    case BuiltinKind::KernelDecorator:
    case BuiltinKind::FuncDecorator:
    case BuiltinKind::RealFuncDecorator:
    case BuiltinKind::Template:
    case BuiltinKind::ArrayAnnotation:
    case BuiltinKind::Namespace:
      return error(ErrorKind::Type, range, fmt::format("`{}` cannot be called in a kernel", info.name));
  }
  return Poison{};
}

namespace {

/// The least or the largest of numbers that are known; a float when one of them is.
std::optional<Item> fold_known(BinaryOp op, const std::vector<Item>& args) {
  const Value* best = nullptr;
  bool any_float = false, all_bool = true;
  for (const Item& arg : args) {
    auto* value = std::get_if<Value>(&arg);
    if (!value || !is_number(*value)) return std::nullopt;
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

// One number: as a float where the function needs one, as it is otherwise.
Item Lowering::float_function(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  auto type = number_type(args[0], range);
  if (!type) return Poison{};
  auto op = static_cast<UnaryOp>(info.operation);
  if (info.kind == BuiltinKind::BitCount) {
    if (!ir::is_integer(*type)) {
      return error(ErrorKind::Type, range, fmt::format("`{}` needs an integer, not {}", info.name, ir::name(*type)));
    }
    Type wide = *type == Type::U1 ? Type::I32 : *type;
    return Number{build_.cast(Type::I32, build_.unary(op, *coerce(args[0], wide, range))), Type::I32};
  }
  bool keeps_integers = info.kind == BuiltinKind::NumberFunction;
  if (auto* known = std::get_if<Value>(&args[0]);
      known && op == UnaryOp::Abs && keeps_integers && !std::holds_alternative<bool>(*known)) {
    const bool below = compare_numbers(*known, Value(int64_t{0})) < 0;
    return *frontend::unary(below ? syntax::UnaryOperator::USub : syntax::UnaryOperator::UAdd, *known).value;
  }
  if (keeps_integers && *type == Type::U1) type = options_.default_ip;
  if (!keeps_integers && !ir::is_float(*type)) type = options_.default_fp;
  InstId value = *coerce(args[0], *type, range);
  if (op == UnaryOp::Abs && ir::is_unsigned(*type)) return Number{value, *type};
  InstId result = build_.unary(op, value);
  return Number{result, kernel_[result].type};
}

Item Lowering::rounding(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  auto value = number(args[0], range);
  if (!value) return Poison{};
  Number result = ir::is_float(value->type)
                      ? Number{build_.unary(static_cast<UnaryOp>(info.operation), value->id), value->type}
                      : *value;
  if (args.size() == 1) return result;
  auto type = dtype_argument(args[1], range);
  return type ? Item(Number{build_.cast(*type, result.id), *type}) : Item(Poison{});
}

Item Lowering::fold(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  if (auto known = fold_known(static_cast<BinaryOp>(info.operation), args)) return *known;
  auto type = number_type(args[0], range);
  for (size_t i = 1; i < args.size(); ++i) {
    auto next = number_type(args[i], range);
    type = type && next ? std::optional(ir::promote(*type, *next)) : std::nullopt;
  }
  if (!type) return Poison{};
  if (*type == Type::U1) type = options_.default_ip;
  InstId result = *coerce(args[0], *type, range);
  for (size_t i = 1; i < args.size(); ++i) {
    result = build_.binary(static_cast<BinaryOp>(info.operation), result, *coerce(args[i], *type, range));
  }
  return Number{result, *type};
}

// Functions that are made of others.
Item Lowering::composed(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  std::optional<Type> type = Type::U1;
  for (const Item& arg : args) {
    auto next = number_type(arg, range);
    type = type && next ? std::optional(ir::promote(*type, *next)) : std::nullopt;
  }
  if (!type) return Poison{};
  bool any = info.kind == BuiltinKind::Clamp;
  if (!ir::is_float(*type) && (!any || *type == Type::U1)) type = any ? options_.default_ip : options_.default_fp;
  std::vector<InstId> x;
  for (const Item& arg : args) x.push_back(*coerce(arg, *type, range));
  auto of = [&](BinaryOp op, InstId a, InstId b) { return build_.binary(op, a, b); };
  auto literal = [&](double v) { return constant(*type, Value(v)); };
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
    case BuiltinKind::Fract: result = of(BinaryOp::Sub, x[0], build_.unary(UnaryOp::Floor, x[0])); break;
    case BuiltinKind::Step: {
      InstId below = build_.compare(ir::CompareOp::Lt, x[1], x[0]);
      result = build_.inst(Op::Select, *type, {below, literal(0), literal(1)});
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

Item Lowering::bit_cast(const std::vector<Item>& args, const Range& range) {
  if (args.size() != 2) return error(ErrorKind::Type, range, "`bit_cast` takes a value and a dtype");
  auto type = dtype_argument(args[1], range);
  auto value = number(args[0], range);
  if (!type || !value) return Poison{};
  if (ir::bit_width(*type) != ir::bit_width(value->type)) {
    return error(
        ErrorKind::Type, range,
        fmt::format("`bit_cast` needs types of one width, not {} and {}", ir::name(value->type), ir::name(*type)));
  }
  return Number{value->type == *type ? value->id : build_.inst(Op::BitCast, *type, {value->id}), *type};
}

Item Lowering::select(const std::vector<Item>& args, const Range& range) {
  if (std::ranges::any_of(args, is_tensor)) {
    return elementwise(args, range, [&](const std::vector<Item>& x) { return select(x, range); });
  }
  auto test = condition(args[0], range);
  auto yes = number_type(args[1], range);
  auto no = number_type(args[2], range);
  if (!test || !yes || !no) return Poison{};
  Type type = ir::promote(*yes, *no);
  InstId a = *coerce(args[1], type, range);
  InstId b = *coerce(args[2], type, range);
  return Number{build_.inst(Op::Select, type, {*test, a, b}), type};
}

Item Lowering::random(const std::vector<Item>& args, const Range& range) {
  auto type = args.empty() ? std::optional(options_.default_fp) : dtype_argument(args[0], range);
  return type ? Item(Number{build_.inst(Op::Random, *type, {}), *type}) : Item(Poison{});
}

Item Lowering::length(const std::vector<Item>& args, const Range& range) {
  if (auto* items = std::get_if<Items>(&args[0])) return Value(static_cast<int64_t>(items->list.size()));
  if (auto* view = std::get_if<View>(&args[0])) return Number{view->size, Type::I32};
  if (is_tensor(args[0])) return Value(int64_t{as_tensor(args[0], range)->shape[0]});
  if (auto* ref = std::get_if<ArrayRef>(&args[0]); ref && kernel_.arrays[ref->index].rank > 0) {
    return Number{build_.inst(Op::Shape, Type::I32, {}, ref->index, 0), Type::I32};
  }
  if (auto* value = std::get_if<Value>(&args[0])) {
    if (auto* tuple = std::get_if<Tuple>(value)) return Value(static_cast<int64_t>(tuple->items.size()));
    if (auto* text = std::get_if<std::string>(value)) return Value(static_cast<int64_t>(text->size()));
    if (auto* field = std::get_if<Field>(value); field && !field->shape.empty()) return Value(int64_t{field->shape[0]});
  }
  return error(ErrorKind::Type, range, fmt::format("{} has no length", describe_item(args[0])));
}

Item Lowering::atomic(const BuiltinInfo& info, const syntax::Call& e, const Expr& expr) {
  size_t wanted = info.kind == BuiltinKind::AtomicCas ? 3 : 2;
  if (e.args.size() != wanted || !e.keywords.empty()) {
    return error(ErrorKind::Type, expr.range,
                 fmt::format("`{}` takes {} arguments, {} given", info.name, wanted, e.args.size()));
  }
  Item target = target_place(*e.args[0]);
  std::vector<Item> operands;
  bool failed = poisoned(target);
  for (size_t i = 1; i < wanted; ++i) {
    operands.push_back(eval(*e.args[i]));
    failed |= poisoned(operands.back());
  }
  return failed ? Item(Poison{}) : atomic_on(info, target, operands, expr.range);
}

Item Lowering::atomic_on(const BuiltinInfo& info, const Item& target, const std::vector<Item>& args,
                         const Range& range) {
  if (auto* tensor = std::get_if<TensorPlace>(&target)) {
    std::vector<std::optional<Tensor>> tensors;
    for (const Item& arg : args) {
      const bool number = is_a_number(arg);
      tensors.push_back(number ? std::nullopt : as_tensor(arg, range));
      if (!number && (!tensors.back() || tensors.back()->shape != tensor->shape)) {
        return error(
            ErrorKind::Type, range,
            fmt::format("`{}` does not work on {} and {}", info.name, describe_item(target), describe_item(arg)));
      }
    }
    Tensor old{tensor->type, tensor->shape, {}};
    for (size_t i = 0; i < tensor->components.size(); ++i) {
      std::vector<Item> numbers = args;
      for (size_t k = 0; k < args.size(); ++k) {
        if (tensors[k]) numbers[k] = component_item(*tensors[k], i);
      }
      Item number = atomic_on(info, number_place(*tensor, i), numbers, range);
      if (poisoned(number)) return Poison{};
      old.numbers.push_back(std::get<Number>(number).id);
    }
    return old;
  }
  auto* place = std::get_if<NumberPlace>(&target);
  if (!place)
    return error(ErrorKind::Type, range, fmt::format("`{}` does not work on {}", info.name, describe_item(target)));
  std::vector<InstId> operands{place->pointer};
  for (const Item& arg : args) {
    auto value = coerce_stored(arg, place->type, range);
    if (!value) return Poison{};
    operands.push_back(*value);
  }
  auto op = static_cast<ir::AtomicOp>(info.operation);
  const bool exchange = info.kind == BuiltinKind::AtomicCas;
  bool integers_only = exchange || op == ir::AtomicOp::And || op == ir::AtomicOp::Or || op == ir::AtomicOp::Xor;
  if (integers_only && ir::is_float(place->type)) {
    return error(ErrorKind::Type, range, fmt::format("`{}` needs integers, not {}", info.name, ir::name(place->type)));
  }
  if (exchange) return Number{build_.inst(Op::AtomicCas, place->type, operands), place->type};
  InstId old = build_.inst(Op::AtomicRmw, place->type, operands, static_cast<uint32_t>(op));
  check_atomic(op, place->type, old, operands[1], range);
  return Number{old, place->type};
}

}  // namespace qd::frontend
