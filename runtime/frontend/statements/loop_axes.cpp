// Iterables of a `for` at run time: the axes of the loop and their bounds.
#include "runtime/frontend/statements/loops.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_ranges.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Expr;
using syntax::Range;

namespace {

/// Reads the order of ndrange(..., axes=...), the outermost axis first.
bool order_axes(Compilation& c, const syntax::Keyword& keyword, Axes& axes);

struct LoopBound {
  Item item;
  Range range;
};

/// Type of a bound, for the loop to count in: its own; i64 for u32, so that `i - 1` is a number of the loop's, too;
/// i32 for narrower ones, and for floats with a warning.
/// Nothing after an error. A known integer has the first of i32, i64 and u64 that it fits.
std::optional<Type> count_type(Compilation& c, const LoopBound& bound) {
  auto type = number_type(c, bound.item, bound.range);
  if (!type) return std::nullopt;
  if (ir::is_float(*type))
    c.report.warn(bound.range, fmt::format("the bound of a loop is {}: it is truncated to i32", with_article(*type)));
  if (auto* known = known_number(bound.item); known && ir::is_integer(*type)) {
    for (Type wanted : {Type::I32, Type::I64}) {
      if (fits(*known, wanted)) return wanted;
    }
    return Type::U64;
  }
  if (*type == Type::U32) return Type::I64;
  return ir::is_integer(*type) && ir::bit_width(*type) >= 32 ? *type : Type::I32;
}

/// The number of a bound in the type that the loop counts in. If a u64 is among signed ones, a number beyond i64
/// becomes the end of i64, to which no loop gets.
InstId bound_in(Compilation& c, const LoopBound& bound, Type type) {
  const Value last(INT64_MAX);
  const Type own = *number_type(c, bound.item, bound.range);
  if (own != Type::U64 || type == Type::U64) return *coerce(c, bound.item, type, bound.range);
  if (auto* known = known_number(bound.item)) return c.build.constant(type, fits(*known, type) ? *known : last);
  const InstId number = *coerce(c, bound.item, own, bound.range);
  return c.build.cast(type, c.build.binary(ir::BinaryOp::Min, number, c.build.constant(own, last)));
}

/// Adds an axis from `begin` to `end`, which counts in the type of its bounds. False after an error.
bool add_axis(Compilation& c, const LoopBound& begin, const LoopBound& end, Axes& axes) {
  const auto first = count_type(c, begin), last = count_type(c, end);
  if (!first || !last) return false;
  // A constant counts in the type of the other bound if it fits that.
  auto adapts = [](const LoopBound& bound, Type type) {
    auto* known = known_number(bound.item);
    return known && fits(*known, type);
  };
  const Type type = adapts(begin, *last) ? *last : adapts(end, *first) ? *first : common_count(*first, *last);
  axes.bounds.push_back(bound_in(c, begin, type));
  axes.bounds.push_back(bound_in(c, end, type));
  return true;
}

bool range_bounds(Compilation& c, const syntax::Call& e, const Expr& expr, Axes& axes) {
  if (e.args.size() == 3) {
    c.report.error(ErrorKind::Syntax, e.args[2]->range,
                   "Range should have 1 or 2 arguments, found 3: a step is not supported in kernels");
    return false;
  }
  auto args = evaluate_arguments(c, e, expr, "range", 1, 2);
  if (!args) return false;
  const LoopBound end{args->back(), e.args.empty() ? expr.range : e.args.back()->range};
  const bool from = args->size() == 2;
  const Range& first = from && e.args.size() == 2 ? e.args[0]->range : expr.range;
  return add_axis(c, {from ? (*args)[0] : Item(Value(int64_t{0})), first}, end, axes);
}

bool ndrange_bounds(Compilation& c, const syntax::Call& e, const Expr& expr, Axes& axes) {
  syntax::Call positional = e;
  if (e.keywords.size() == 1 && e.keywords[0].arg == "axes") positional.keywords = {};
  auto args = evaluate_arguments(c, positional, expr, "ndrange", 0, SIZE_MAX);
  if (!args) return false;
  for (size_t i = 0; i < args->size(); ++i) {
    const Range& range = e.args.size() == args->size() ? e.args[i]->range : expr.range;
    std::vector<Item> pair;
    if (auto* items = std::get_if<Items>(&(*args)[i])) {
      pair = items->list;
    } else if (auto* tuple = known_as<Tuple>((*args)[i])) {
      for (const Value& v : tuple->items) pair.push_back(v);
    } else {
      pair = {Item(Value(int64_t{0})), (*args)[i]};
    }
    if (pair.size() != 2) {
      c.report.error(ErrorKind::Syntax, range,
                     "Every argument of ndrange should be a scalar or a tuple/list like (begin, end)");
      return false;
    }
    if (!add_axis(c, {pair[0], range}, {pair[1], range}, axes)) return false;
  }
  return positional.keywords.size() == e.keywords.size() || order_axes(c, e.keywords[0], axes);
}

bool order_axes(Compilation& c, const syntax::Keyword& keyword, Axes& axes) {
  Item item = static_value(c, *keyword.value);
  if (poisoned(item)) return false;
  const size_t count = axes.bounds.size() / 2;
  auto order = axes_order(std::get<Value>(item), count);
  if (!order) {
    c.report.error(ErrorKind::Syntax, keyword.range, axes_order_error(count));
    return false;
  }
  if (count < 2) return true;
  axes.order = std::move(*order);
  std::vector<InstId> bounds;
  for (uint32_t axis : axes.order) bounds.insert(bounds.end(), {axes.bounds[2 * axis], axes.bounds[2 * axis + 1]});
  if (!bounds.empty()) axes.bounds = std::move(bounds);
  return true;
}

/// The axes of an iterable, as axes_of, which also checks that there are any.
std::optional<Axes> axes_of_iterable(Compilation& c, const Expr& iter) {
  Axes axes;
  if (auto* call = std::get_if<syntax::Call>(&iter.node)) {
    const BuiltinInfo* info = builtin_of(c, *call->func);
    if (info && info->kind == BuiltinKind::Range)
      return range_bounds(c, *call, iter, axes) ? std::optional(axes) : std::nullopt;
    if (info && info->kind == BuiltinKind::NdRange)
      return ndrange_bounds(c, *call, iter, axes) ? std::optional(axes) : std::nullopt;
    if (info && info->kind == BuiltinKind::Grouped && call->args.size() == 1) {
      auto inner = axes_of_iterable(c, *call->args[0]);
      if (inner) inner->grouped = true;
      return inner;
    }
  }
  Item item = evaluate_place(c, iter);
  if (poisoned(item)) return std::nullopt;
  if (auto* view = std::get_if<View>(&item)) {
    axes.bounds = {c.build.constant(Type::I32, Value(int64_t{0})), view->size};
    return axes;
  }
  if (is_array(item)) {
    return array_axes(c, item, iter.range, axes) ? std::optional(axes) : std::nullopt;
  }
  c.report.error(
      ErrorKind::Syntax, iter.range,
      fmt::format("a `for` of a kernel iterates over range, ndrange, a field, an array, or qd.static(...), not over {}",
                  describe_item(c, item)));
  return std::nullopt;
}

}  // namespace

std::optional<Axes> axes_of(Compilation& c, const Expr& iter) {
  auto axes = axes_of_iterable(c, iter);
  if (!axes || axes->grouped || !axes->bounds.empty()) return axes;
  c.report.error(
      ErrorKind::Type, iter.range,
      "there are no axes, and so no loop variable: iterate over qd.grouped(...), whose vectors may be empty");
  return std::nullopt;
}

}  // namespace qd::frontend
