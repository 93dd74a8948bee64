// Calls of the names of the language, by their kind (constants/builtins.def).
#include "runtime/frontend/expressions/builtin_calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/kernel_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/constant_calls.h"
#include "runtime/frontend/expressions/containers.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/expressions/object_operators.h"
#include "runtime/frontend/expressions/texts.h"
#include "runtime/frontend/expressions/tiles.h"
#include "runtime/frontend/memory/tuples.h"
#include "runtime/frontend/values/atomics.h"
#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/elementwise.h"
#include "runtime/frontend/values/functions.h"
#include "runtime/frontend/values/operators.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::Op;
using ir::Type;
using ir::UnaryOp;
using syntax::Expr;
using syntax::Range;

namespace {

Item stop_gradient(Compilation& c, const Item& item, const Range& range);
Item length_of(Compilation& c, const std::vector<Item>& args, const Range& range);
Item lower_atomic(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

}  // namespace

Item call_builtin(Compilation& c, const BuiltinInfo& info, const syntax::Call& written, const Expr& expr) {
  const PlacedCall placed(info, written);
  const syntax::Call& e = placed.call();
  const Range& range = expr.range;
  std::optional<std::vector<Item>> evaluated;
  if (may_be_constant(c, info, e)) {
    evaluated = std::get<Items>(evaluate_display(c, e.args)).list;
    if (std::ranges::any_of(*evaluated, poisoned)) return Poison{};
    if (auto result = constant_builtin_call(c, info, *evaluated, e, range)) return *result;
  }
  auto with_arguments = [&](size_t least, size_t most, auto&& make) -> Item {
    auto args = evaluated ? counted_arguments(c, *std::move(evaluated), expr, info.name, least, most)
                          : evaluate_arguments(c, e, expr, info.name, least, most);
    if (!args) return Poison{};
    auto own = args->size() == 1 ? object_function(c, info, (*args)[0], range) : std::nullopt;
    if (own && !is_conversion(info)) return *std::move(own);
    if (own) (*args)[0] = *std::move(own);
    if (std::ranges::any_of(*args, is_tensor) && info.kind != BuiltinKind::Len)
      return elementwise(c, *args, range, make);
    return make(*args);
  };
  auto to_type = [&](Type type) {
    return with_arguments(1, 1, [&](const std::vector<Item>& args) -> Item {
      auto value = convert_checked(c, args[0], type, range);
      return value ? Item(Number{*value, type}) : Item(Poison{});
    });
  };
  switch (info.kind) {
    case BuiltinKind::FloatFunction:
    case BuiltinKind::Predicate:
    case BuiltinKind::BitCount:
    case BuiltinKind::NumberFunction:
      return with_arguments(1, 1, [&](const auto& args) { return float_function(c, info, args, range); });
    case BuiltinKind::Rounding:
      return with_arguments(1, 2, [&](const auto& args) { return round_number(c, info, args, range); });
    case BuiltinKind::GetAttribute: return lower_getattr(c, e, expr);
    case BuiltinKind::Super: return lower_super(c, e, expr);
    case BuiltinKind::BitNot: return with_arguments(1, 1, [&](const auto& args) { return bit_not(c, args[0], range); });
    case BuiltinKind::LogicalNot:
      return with_arguments(1, 1, [&](const auto& args) -> Item {
        auto value = to_condition(c, object_truth(c, args[0], range), range);
        return value ? Item(Number{c.build.unary(UnaryOp::LogicalNot, *value), Type::U1}) : Item(Poison{});
      });
    case BuiltinKind::BinaryFunction:
      return with_arguments(2, 2, [&](const auto& args) {
        return apply_binary(c, static_cast<BinaryOp>(info.operation), args[0], args[1], info.name, range);
      });
    case BuiltinKind::Fold:
      return with_arguments(1, SIZE_MAX, [&](const auto& args) -> Item {
        if (args.size() > 1) return fold_values(c, info, args, range);
        auto items = iterated_items(c, args[0], range);
        if (items && items->size() > 1) return fold_values(c, info, *items, range);
        if (items && items->size() == 1) return signed_value(c, syntax::UnaryOperator::UAdd, (*items)[0], range);
        return c.report.error(ErrorKind::Type, range,
                              fmt::format("`{}` takes two or more numbers, or a list of them", info.name));
      });
    case BuiltinKind::FloatBinary:
      return with_arguments(2, 2, [&](const auto& args) { return float_binary(c, info, args, range); });
    case BuiltinKind::FindSetBit:
      return with_arguments(3, 3, [&](const auto& args) { return find_set_bit(c, args, range); });
    case BuiltinKind::Radians:
    case BuiltinKind::Degrees:
    case BuiltinKind::Log2:
    case BuiltinKind::Exp2:
    case BuiltinKind::Frexp:
    case BuiltinKind::Zero:
    case BuiltinKind::One:
      return with_arguments(1, 1, [&](const auto& args) { return more_functions(c, info, args, range); });
    case BuiltinKind::Randn:
      return with_arguments(0, 1, [&](const auto& args) { return more_functions(c, info, args, range); });
    case BuiltinKind::StopGrad:
      return with_arguments(1, 1, [&](const auto& args) { return stop_gradient(c, args[0], range); });
    case BuiltinKind::Same: {
      for (const syntax::Keyword& keyword : e.keywords) static_value(c, *keyword.value);  // loop_unique(x, covers=...)
      if (e.args.empty()) return c.report.error(ErrorKind::Type, range, fmt::format("`{}` takes a number", info.name));
      Item list = evaluate_display(c, e.args);
      return std::get<Items>(list).list[0];
    }
    case BuiltinKind::Container: return container_call(c, info, e, expr);
    case BuiltinKind::Atomic:
    case BuiltinKind::AtomicCas: return lower_atomic(c, info, e, expr);
    case BuiltinKind::VolatileLoad:
      if (e.args.size() != 1 || !e.keywords.empty())
        return c.report.error(ErrorKind::Type, range, "`volatile_load` takes one element of an array");
      return volatile_load(c, evaluate_place(c, *e.args[0]), range);
    case BuiltinKind::IntType: return to_type(c.options.default_ip);
    case BuiltinKind::FloatType: return to_type(c.options.default_fp);
    case BuiltinKind::BoolType: return to_type(Type::U1);
    case BuiltinKind::Cast:
      return with_arguments(1, 2, [&](const auto& args) -> Item {
        if (args.size() != 2) return c.report.error(ErrorKind::Type, range, "`cast` takes a value and a dtype");
        auto type = dtype_argument(c, args[1], range);
        auto value = type ? coerce(c, args[0], *type, range) : std::nullopt;
        return value ? Item(Number{*value, *type}) : Item(Poison{});
      });
    case BuiltinKind::BitCast: return with_arguments(1, 2, [&](const auto& args) { return bit_cast(c, args, range); });
    case BuiltinKind::Select:
      return with_arguments(3, 3, [&](const auto& args) { return select_values(c, args, range); });
    case BuiltinKind::ThreadIndex:
      return with_arguments(
          0, 0, [&](const auto&) -> Item { return Number{*coerce(c, thread_number(c), Type::I32, range), Type::I32}; });
    case BuiltinKind::BlockIndex: return with_arguments(0, 0, [&](const auto&) { return block_index(c, range); });
    case BuiltinKind::Random:
      return with_arguments(0, 1, [&](const auto& args) { return random_number(c, args, range); });
    case BuiltinKind::Clock:
      return with_arguments(
          0, 0, [&](const auto&) -> Item { return Number{c.build.inst(Op::Clock, Type::I64, {}), Type::I64}; });
    case BuiltinKind::Len: return with_arguments(1, 1, [&](const auto& args) { return length_of(c, args, range); });
    case BuiltinKind::BlockOperation: return block_operation(c, info, e, expr);
    case BuiltinKind::BlockArray: return block_array(c, info, e, expr);
    case BuiltinKind::TileRow: return tile_row(c, e, expr);
    case BuiltinKind::Outer:
      return c.report.error(ErrorKind::Syntax, range,
                            "qd.outer(a, b) is no value: it stands behind `tile -=` or `tile +=` alone");
    case BuiltinKind::View: return make_view(c, e, range);
    case BuiltinKind::Static: {
      const auto item = e.args.size() == 1 && e.keywords.empty() ? KernelScope(c).peek(*e.args[0]) : std::nullopt;
      return item && stands_for_memory(*item) ? *item : static_value(c, expr);
    }
    case BuiltinKind::Print: lower_print(c, e, expr); return Value(None{});
    case BuiltinKind::StaticAssert: static_assert_call(c, e, expr); return Value(None{});
    case BuiltinKind::StaticPrint: static_print(c, e); return Value(None{});
    case BuiltinKind::LoopConfig: loop_config(c, e, expr); return Value(None{});
    case BuiltinKind::TensorValue:
    case BuiltinKind::TensorMaker: return make_tensor(c, info, e, expr);
    case BuiltinKind::Library: return call_library(c, info, e, expr);
    case BuiltinKind::StructValue: return struct_of_members(c, e, expr);
    case BuiltinKind::CompoundTypeMaker: return static_value(c, expr);
    case BuiltinKind::Range:
    case BuiltinKind::NdRange:
    case BuiltinKind::Grouped:
    case BuiltinKind::Zip:
    case BuiltinKind::Enumerate: return call_range_like(c, info, expr);
    case BuiltinKind::FuncDecorator:
    case BuiltinKind::RealFuncDecorator:
    case BuiltinKind::GroupSize: return static_value(c, expr);
    case BuiltinKind::GraphDoWhile:
      return c.report.error(
          ErrorKind::Syntax, range,
          fmt::format("qd.{}(...) is the condition of a `while`: write `while qd.{}(flag):`", info.name, info.name));
    case BuiltinKind::ParallelContext:
    case BuiltinKind::ParallelSection:
    case BuiltinKind::StreamParallel:
    case BuiltinKind::Checkpoint:
      return c.report.error(ErrorKind::Syntax, range,
                            fmt::format("qd.{}(...) stands in a `with`: write `with qd.{}({}):`", info.name, info.name,
                                        info.kind == BuiltinKind::Checkpoint ? "..." : ""));
    case BuiltinKind::KernelDecorator:
    case BuiltinKind::Template:
    case BuiltinKind::ArrayAnnotation:
    case BuiltinKind::Namespace:
      return c.report.error(ErrorKind::Type, range, fmt::format("`{}` cannot be called in a kernel", info.name));
  }
  return Poison{};
}

namespace {

/// The number, or the struct of numbers, as a constant for derivatives. The elements of an array are constants from
/// here on: to the end of the loop around, or of the kernel. Other items are none that derivatives pass through.
Item stop_gradient(Compilation& c, const Item& item, const Range& range) {
  if (auto* array = std::get_if<ArrayRef>(&item)) c.stopped.push_back(array->index);
  if (auto* field = known_as<HostField>(item)) c.stopped.push_back(c.captures.array_of(*field));
  if (auto* record = std::get_if<Record>(&item)) {
    Record stopped = *record;
    for (Item& member : stopped.members) member = stop_gradient(c, member, range);
    return stopped;
  }
  if (is_tensor(item)) {
    return elementwise(c, std::span(&item, 1), range,
                       [&](const auto& args) { return stop_gradient(c, *to_number(c, args[0], range), range); });
  }
  if (!std::holds_alternative<Number>(item) && !std::holds_alternative<NumberPlace>(item)) return item;
  const Number number = *to_number(c, item, range);
  if (!ir::is_float(number.type)) return number;
  return Number{c.build.inst(Op::StopGrad, number.type, {number.id}), number.type};
}

Item length_of(Compilation& c, const std::vector<Item>& args, const Range& range) {
  if (auto* items = std::get_if<Items>(&args[0])) return Value(static_cast<int64_t>(items->list.size()));
  if (auto* view = std::get_if<View>(&args[0])) return Number{view->size, Type::I32};
  if (auto* shared = std::get_if<SharedArray>(&args[0])) return Value(int64_t{shared->shape[0]});
  if (is_tensor(args[0])) return Value(int64_t{as_tensor(c, args[0], range)->shape[0]});
  if (auto* ref = std::get_if<ArrayRef>(&args[0]); ref && c.kernel.arrays[ref->index].rank > 0) {
    return Number{c.build.inst(Op::Shape, Type::I32, {}, ref->index, 0), Type::I32};
  }
  if (auto* value = std::get_if<Value>(&args[0])) {
    if (auto known = length(*value)) return Value(*known);
    if (auto* field = std::get_if<HostField>(value); field && !field->shape.empty())
      return Value(int64_t{field->shape[0]});
    if (known_as<HostObject>(args[0])) {
      KernelScope scope(c);
      if (Outcome known = call_host({*value, "__len__", {}, {}}, scope); known.value) return *std::move(known.value);
    }
  }
  return c.report.error(ErrorKind::Type, range, fmt::format("{} has no length", describe_item(c, args[0])));
}

Item lower_atomic(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr) {
  size_t wanted = info.kind == BuiltinKind::AtomicCas ? 3 : 2;
  if (e.args.size() != wanted || !e.keywords.empty()) {
    return c.report.error(ErrorKind::Type, expr.range,
                          fmt::format("`{}` takes {} arguments, {} given", info.name, wanted, e.args.size()));
  }
  Item target = target_place(c, *e.args[0]);
  std::vector<Item> operands;
  bool failed = poisoned(target);
  for (size_t i = 1; i < wanted; ++i) {
    operands.push_back(evaluate(c, *e.args[i]));
    failed |= poisoned(operands.back());
  }
  return failed ? Item(Poison{}) : atomic_on(c, info, target, operands, expr.range);
}

}  // namespace

}  // namespace qd::frontend
