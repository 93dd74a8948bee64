// Loops that are unrolled while the kernel is compiled: `for x in qd.static(...)`.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Stmt;

std::optional<std::vector<Item>> Lowering::static_iterable_call(const BuiltinInfo& info, const syntax::Call& e) {
  std::vector<std::vector<Item>> columns;
  size_t most = info.kind == BuiltinKind::Enumerate ? 1 : e.args.size();
  for (size_t i = 0; i < std::min(most, e.args.size()); ++i) {
    auto column = static_iterable(*e.args[i]);
    if (!column) return std::nullopt;
    columns.push_back(std::move(*column));
  }
  int64_t start = 0;
  if (info.kind == BuiltinKind::Enumerate && e.args.size() == 2) {
    Item item = static_value(*e.args[1]);
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

std::optional<std::vector<Item>> Lowering::static_iterable(const Expr& expr) {
  auto* tuple = std::get_if<syntax::Tuple>(&expr.node);
  auto* list = std::get_if<syntax::ListExpr>(&expr.node);
  if (tuple || list) {
    // A display may hold arrays and numbers of run time: only its length has to be known.
    Item items = display(tuple ? tuple->elts : list->elts);
    return std::move(std::get<Items>(items).list);
  }
  if (auto* call = std::get_if<syntax::Call>(&expr.node); call && call->keywords.empty()) {
    const BuiltinInfo* info = builtin_of(*call->func);
    if (info && (info->kind == BuiltinKind::Zip || info->kind == BuiltinKind::Enumerate))
      return static_iterable_call(*info, *call);
  }
  auto* attribute = std::get_if<syntax::Attribute>(&expr.node);
  const bool composed =
      std::holds_alternative<syntax::ListComp>(expr.node) || std::holds_alternative<syntax::GeneratorExp>(expr.node) ||
      std::holds_alternative<syntax::Subscript>(expr.node) || (attribute && attribute->attr == "shape");
  std::optional<Item> own;
  if (composed) own = eval(expr);
  if (auto* name = std::get_if<syntax::Name>(&expr.node)) {
    Binding* binding = find_local(name->id);
    auto* item = binding ? std::get_if<Item>(&binding->what) : nullptr;
    if (binding && (!item || !std::holds_alternative<Value>(*item))) own = read(*binding);
  }
  if (auto* call = std::get_if<syntax::Call>(&expr.node)) {
    own = container_method(*call, expr);
    const BuiltinInfo* info = own ? nullptr : builtin_of(*call->func);
    if (info && info->kind == BuiltinKind::Container) own = eval(expr);
  }
  if (own) {
    if (poisoned(*own)) return std::nullopt;
    if (auto items = iterated_items(*own, expr.range)) return items;
    if (!std::holds_alternative<Number>(*own) && !std::holds_alternative<NumberPlace>(*own)) {
      error(ErrorKind::Type, expr.range, fmt::format("{} cannot be iterated at compile time", describe_item(*own)));
      return std::nullopt;
    }
  }
  Item item = static_value(expr);
  if (poisoned(item)) return std::nullopt;
  auto items = iterated_items(item, expr.range);
  if (!items)
    error(ErrorKind::Type, expr.range, fmt::format("{} cannot be iterated at compile time", describe_item(item)));
  return items;
}

void Lowering::bind_static_target(const syntax::For& s, const Expr& target, const Item& item) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) {
    frame().scopes.back().erase(name->id);
    if (assigns(s.body, name->id)) {
      assign_name(name->id, item, target.range, target.range, false);
    } else {
      declare_loop_variable(name->id, {item}, target.range);
    }
    return;
  }
  auto* several = std::get_if<syntax::Tuple>(&target.node);
  if (!several) {
    error(ErrorKind::Syntax, target.range, fmt::format("{} cannot be a loop variable in kernels", node_name(target)));
    return;
  }
  std::vector<Item> parts;
  auto* value = std::get_if<Value>(&item);
  if (auto* items = std::get_if<Items>(&item)) parts = items->list;
  if (auto* tuple = value ? std::get_if<Tuple>(value) : nullptr) {
    for (const Value& part : tuple->items) parts.push_back(part);
  }
  if (parts.size() != several->elts.size()) {
    if (!poisoned(item)) {
      error(ErrorKind::Type, target.range,
            fmt::format("{} cannot be unpacked into {} loop variables", describe_item(item), several->elts.size()));
    }
    parts.assign(several->elts.size(), Item(Poison{}));
  }
  for (size_t i = 0; i < parts.size(); ++i) bind_static_target(s, *several->elts[i], parts[i]);
}

Flow Lowering::static_for(const syntax::For& s, const syntax::Call& e, const Stmt& stmt, int32_t next) {
  if (e.args.size() != 1 || !e.keywords.empty()) {
    error(ErrorKind::Syntax, s.iter->range, "a static `for` iterates over one thing");
    return Flow::Next;
  }
  int32_t line = line_of(stmt.range);
  auto items = static_iterable(*e.args[0]);
  push_scope();
  if (!items) {
    // Unknown iterations: one is read for the errors in the body.
    poison_targets(*s.target);
    items = std::vector<Item>();
    frame().loops.push_back({true, false, frame().runtime_depth, line, next});
    suite(s.body, stmt, line);
    frame().loops.pop_back();
  }
  if (options_.unrolling_limit > 0 && items->size() > static_cast<size_t>(options_.unrolling_limit)) {
    warn(stmt.range, fmt::format("the loop is unrolled {} times, which takes long to compile", items->size()));
  }
  Flow flow = Flow::Next;
  frame().loops.push_back({true, false, frame().runtime_depth, line, next});
  for (const Item& item : *items) {
    edge(stmt, s.body, line);
    bind_static_target(s, *s.target, item);
    flow = suite(s.body, stmt, line);
    if (flow == Flow::StaticBreak || flow == Flow::Left) break;
  }
  frame().loops.pop_back();
  pop_scope(stmt.range);
  if (flow == Flow::Left) return Flow::Left;
  if (flow != Flow::StaticBreak) probe(line, next);
  return Flow::Next;
}

}  // namespace qd::frontend
