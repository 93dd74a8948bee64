// What a `for` at run time goes through: the axes of the loop and their bounds.
#include "runtime/frontend/statements/loop_axes.h"

#include <fmt/format.h>

#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/known/builtins.h"
#include "runtime/frontend/known/python_values.h"
#include "runtime/frontend/known/static_ranges.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Expr;
using syntax::Range;

namespace {

/// ndrange(..., axes=...): which axis is the outermost, which comes next.
bool order_axes(Compilation& c, const syntax::Keyword& keyword, Axes& axes);

/// A bound as an i32, with a warning when it is none; nothing after an error.
std::optional<InstId> loop_bound(Compilation& c, const Item& item, const Range& range) {
  auto type = number_type(c, item, range);
  if (!type) return std::nullopt;
  if (ir::is_float(*type))
    c.report.warn(range, fmt::format("the bound of a loop is {}: it is truncated to i32", with_article(*type)));
  if (auto* value = std::get_if<Value>(&item); value && !ir::is_float(*type) && !fits(*value, Type::I32)) {
    c.report.error(ErrorKind::Type, range, "the bound of a loop does not fit i32");
    return std::nullopt;
  }
  return coerce(c, item, Type::I32, range);
}

bool range_bounds(Compilation& c, const syntax::Call& e, const Expr& expr, Axes& axes) {
  if (e.args.size() == 3) {
    c.report.error(ErrorKind::Syntax, e.args[2]->range, "`range` with a step is not supported in kernels");
    return false;
  }
  auto args = evaluate_arguments(c, e, expr, "range", 1, 2);
  if (!args) return false;
  auto begin =
      args->size() == 2 ? loop_bound(c, (*args)[0], e.args[0]->range) : c.build.constant(Type::I32, Value(int64_t{0}));
  auto end = loop_bound(c, args->back(), e.args.back()->range);
  if (!begin || !end) return false;
  axes.bounds = {*begin, *end};
  return true;
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
      c.report.error(ErrorKind::Syntax, range, "an axis of `ndrange` is a number or a pair (begin, end)");
      return false;
    }
    auto begin = loop_bound(c, pair[0], range);
    auto end = loop_bound(c, pair[1], range);
    if (!begin || !end) return false;
    axes.bounds.push_back(*begin);
    axes.bounds.push_back(*end);
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

/// As axes_of, which also asks whether there are any.
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
