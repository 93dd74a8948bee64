// Loops that are unrolled while the kernel is compiled: `for x in qd.static(...)`.
#include "runtime/frontend/statements/loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/statements/statements.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Stmt;

namespace {

void bind_static_target(Compilation& c, const syntax::For& s, const Expr& target, const Item& item) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) {
    c.function().scopes.back().erase(name->id);
    if (assigns(s.body, name->id)) {
      assign_name(c, name->id, item, target.range, target.range, false);
    } else {
      declare_loop_variable(c, name->id, {item}, target.range);
    }
    return;
  }
  auto* several = std::get_if<syntax::Tuple>(&target.node);
  if (!several) {
    c.report.error(ErrorKind::Syntax, target.range,
                   fmt::format("{} cannot be a loop variable in kernels", node_name(target)));
    return;
  }
  std::vector<Item> parts;
  if (auto* items = std::get_if<Items>(&item)) parts = items->list;
  if (auto* tuple = known_as<Tuple>(item)) {
    for (const Value& part : tuple->items) parts.push_back(part);
  }
  if (parts.size() != several->elts.size()) {
    if (!poisoned(item)) {
      c.report.error(
          ErrorKind::Type, target.range,
          fmt::format("{} cannot be unpacked into {} loop variables", describe_item(c, item), several->elts.size()));
    }
    parts.assign(several->elts.size(), Item(Poison{}));
  }
  for (size_t i = 0; i < parts.size(); ++i) bind_static_target(c, s, *several->elts[i], parts[i]);
}

}  // namespace

Flow static_for(Compilation& c, const syntax::For& s, const syntax::Call& e, const Stmt& stmt, int32_t next) {
  if (e.args.size() != 1 || !e.keywords.empty()) {
    c.report.error(ErrorKind::Syntax, s.iter->range, "a static `for` iterates over one thing");
    return Flow::Next;
  }
  int32_t line = c.function().line_of(stmt.range);
  auto items = static_iterable(c, *e.args[0]);
  c.function().push_scope();
  if (!items) {
    // Unknown iterations: one is read for the errors in the body.
    poison_targets(c, *s.target);
    items = std::vector<Item>();
    c.function().loops.push_back({true, false, c.function().runtime_depth, line, next});
    lower_suite(c, s.body, stmt, line);
    c.function().loops.pop_back();
  }
  if (c.options.unrolling_limit > 0 && items->size() > static_cast<size_t>(c.options.unrolling_limit)) {
    c.report.warn(stmt.range, fmt::format("the loop is unrolled {} times, which takes long to compile", items->size()));
  }
  Flow flow = Flow::Next;
  c.function().loops.push_back({true, false, c.function().runtime_depth, line, next});
  for (const Item& item : *items) {
    c.notes.edge(stmt, s.body, line);
    bind_static_target(c, s, *s.target, item);
    flow = lower_suite(c, s.body, stmt, line);
    if (flow == Flow::StaticBreak || flow == Flow::Left) break;
  }
  c.function().loops.pop_back();
  pop_scope(c, stmt.range);
  if (flow == Flow::Left) return Flow::Left;
  if (flow != Flow::StaticBreak) c.notes.probe(line, next);
  return Flow::Next;
}

}  // namespace qd::frontend
