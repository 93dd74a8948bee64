// Iterables of a loop under qd.static, or of a comprehension.
#include "runtime/frontend/expressions/displays.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/containers.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/memory/tuples.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using syntax::Expr;

namespace {

std::optional<std::vector<Item>> static_iterable_call(Compilation& c, const BuiltinInfo& info, const syntax::Call& e) {
  std::vector<std::vector<Item>> columns;
  size_t most = info.kind == BuiltinKind::Enumerate ? 1 : e.args.size();
  for (size_t i = 0; i < std::min(most, e.args.size()); ++i) {
    auto column = static_iterable(c, *e.args[i]);
    if (!column) return std::nullopt;
    columns.push_back(std::move(*column));
  }
  int64_t start = 0;
  if (info.kind == BuiltinKind::Enumerate && e.args.size() == 2) {
    Item item = static_value(c, *e.args[1]);
    auto* value = std::get_if<Value>(&item);
    start = value ? as_integer(*value).value_or(0) : 0;
  }
  std::vector<Item> rows;
  size_t count = SIZE_MAX;
  for (const auto& column : columns) count = std::min(count, column.size());
  for (size_t i = 0; !columns.empty() && i < count; ++i) {
    Items row;
    if (info.kind == BuiltinKind::Enumerate) row.list.push_back(Value(start + static_cast<int64_t>(i)));
    for (const auto& column : columns) row.list.push_back(column[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::optional<std::vector<Item>> static_iterable(Compilation& c, const Expr& expr) {
  auto* tuple = std::get_if<syntax::Tuple>(&expr.node);
  auto* list = std::get_if<syntax::ListExpr>(&expr.node);
  if (tuple || list) {
    // A display may hold arrays and numbers of run time: only its length has to be known.
    Item items = evaluate_display(c, tuple ? tuple->elts : list->elts);
    return std::move(std::get<Items>(items).list);
  }
  if (auto* call = std::get_if<syntax::Call>(&expr.node); call && call->keywords.empty()) {
    const BuiltinInfo* info = builtin_of(c, *call->func);
    if (info && (info->kind == BuiltinKind::Zip || info->kind == BuiltinKind::Enumerate))
      return static_iterable_call(c, *info, *call);
  }
  auto* attribute = std::get_if<syntax::Attribute>(&expr.node);
  const bool composed =
      std::holds_alternative<syntax::ListComp>(expr.node) || std::holds_alternative<syntax::GeneratorExp>(expr.node) ||
      std::holds_alternative<syntax::Subscript>(expr.node) || (attribute && attribute->attr == "shape");
  std::optional<Item> own;
  if (composed) own = evaluate(c, expr);
  if (auto* name = std::get_if<syntax::Name>(&expr.node)) {
    Binding* binding = c.function().find_local(name->id);
    auto* item = binding ? std::get_if<Item>(&binding->what) : nullptr;
    if (binding && (!item || !std::holds_alternative<Value>(*item))) own = read_binding(c, *binding);
  }
  if (auto* call = std::get_if<syntax::Call>(&expr.node)) {
    own = container_method(c, *call, expr);
    const BuiltinInfo* info = own ? nullptr : builtin_of(c, *call->func);
    auto callee = own ? std::nullopt : callee_value(c, *call->func);
    auto* cls = callee ? std::get_if<HostObject>(&*callee) : nullptr;
    const bool makes = cls && cls->kind == HostObject::Kind::Class;  // a named tuple with numbers of the run
    if (makes || (info && info->kind == BuiltinKind::Container)) own = evaluate(c, expr);
  }
  if (own) {
    if (poisoned(*own)) return std::nullopt;
    if (auto items = iterated_items(c, *own, expr.range)) return items;
    if (!std::holds_alternative<Number>(*own) && !std::holds_alternative<NumberPlace>(*own)) {
      c.report.error(ErrorKind::Type, expr.range,
                     fmt::format("{} cannot be iterated at compile time", describe_item(c, *own)));
      return std::nullopt;
    }
  }
  Item item = static_value(c, expr);
  if (poisoned(item)) return std::nullopt;
  auto items = iterated_items(c, item, expr.range);
  if (!items)
    c.report.error(ErrorKind::Type, expr.range,
                   fmt::format("{} cannot be iterated at compile time", describe_item(c, item)));
  return items;
}

}  // namespace qd::frontend
