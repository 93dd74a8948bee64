// What a `for` at run time goes through: the axes of the loop and their bounds.
#include "runtime/frontend/statements/loop_axes.h"

#include <fmt/format.h>

#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/known/builtins.h"
#include "runtime/frontend/known/python_values.h"
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
  auto args = evaluate_arguments(c, positional, expr, "ndrange", 1, 8);
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
  const Value& value = std::get<Value>(item);
  if (std::holds_alternative<None>(value)) return true;
  const size_t count = axes.bounds.size() / 2;
  auto* order = std::get_if<Tuple>(&value);
  std::vector<InstId> bounds;
  std::vector<bool> seen(count);
  for (size_t i = 0; order && order->items.size() == count && i < count; ++i) {
    auto axis = as_integer(order->items[i]);
    if (!axis || *axis < 0 || *axis >= static_cast<int64_t>(count) || seen[static_cast<size_t>(*axis)]) break;
    const size_t at = static_cast<size_t>(*axis);
    seen[at] = true;
    axes.order.push_back(static_cast<uint32_t>(at));
    bounds.insert(bounds.end(), {axes.bounds[2 * at], axes.bounds[2 * at + 1]});
  }
  if (bounds.size() != axes.bounds.size()) {
    c.report.error(ErrorKind::Syntax, keyword.range,
                   fmt::format("`axes` names each of the {} axes once, the outermost first", count));
    return false;
  }
  axes.bounds = std::move(bounds);
  return true;
}

bool array_bounds(Compilation& c, const Item& array, const Range& range, Axes& axes) {
  const Item* first = &array;
  while (auto* record = std::get_if<Record>(first)) first = &record->members.at(0);
  auto* value = std::get_if<Value>(first);
  auto* field = value ? std::get_if<HostField>(value) : nullptr;
  Item shape = shape_of(c, *first);
  size_t axis = 0;
  for (const Item& extent : std::get<Items>(shape).list) {
    const int64_t begin = field ? field->first_index(axis++) : 0;
    axes.bounds.push_back(c.build.constant(Type::I32, Value(begin)));
    axes.bounds.push_back(begin == 0 ? *coerce(c, extent, Type::I32, range)
                                     : c.build.constant(Type::I32, Value(begin + field->shape[axis - 1])));
  }
  if (!axes.bounds.empty()) return true;
  c.report.error(ErrorKind::Type, range, fmt::format("{} has no axes to iterate over", describe_item(c, array)));
  return false;
}

}  // namespace

std::optional<Axes> axes_of(Compilation& c, const Expr& iter) {
  Axes axes;
  if (auto* call = std::get_if<syntax::Call>(&iter.node)) {
    const BuiltinInfo* info = builtin_of(c, *call->func);
    if (info && info->kind == BuiltinKind::Range)
      return range_bounds(c, *call, iter, axes) ? std::optional(axes) : std::nullopt;
    if (info && info->kind == BuiltinKind::NdRange)
      return ndrange_bounds(c, *call, iter, axes) ? std::optional(axes) : std::nullopt;
    if (info && info->kind == BuiltinKind::Grouped && call->args.size() == 1) {
      auto inner = axes_of(c, *call->args[0]);
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
    return array_bounds(c, item, iter.range, axes) ? std::optional(axes) : std::nullopt;
  }
  c.report.error(
      ErrorKind::Syntax, iter.range,
      fmt::format("a `for` of a kernel iterates over range, ndrange, a field, an array, or qd.static(...), not over {}",
                  describe_item(c, item)));
  return std::nullopt;
}

}  // namespace qd::frontend
