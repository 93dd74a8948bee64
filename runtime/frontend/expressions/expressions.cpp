// The value of an expression: dispatches each node of the syntax tree to its rule.
#include "runtime/frontend/expressions/expressions.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/conditions.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/expressions/object_operators.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/memory/templates.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Expr;
using syntax::overloaded;

namespace {

Item evaluate_node(Compilation& c, const Expr& expr);
Item lower_walrus(Compilation& c, const syntax::NamedExpr& e, const Expr& expr);

}  // namespace

std::optional<InstId> lower_test(Compilation& c, const Expr& expr) {
  auto* logic = std::get_if<syntax::BoolOp>(&expr.node);
  if (!logic) return to_condition(c, object_truth(c, evaluate(c, expr), expr.range), expr.range);
  const ir::Builder::Scope here(c.build, c.build.location_of(expr.range));
  auto value = truth_of(c, *logic);
  c.notes.note_value(expr, value ? Item(Number{*value, Type::U1}) : Item(Poison{}));
  return value;
}

Item evaluate(Compilation& c, const Expr& expr) {
  const ir::Builder::Scope here(c.build, c.build.location_of(expr.range));
  Item item = loaded(c, template_item(c, evaluate_node(c, expr), expr.range));
  c.notes.note_value(expr, item);
  return item;
}

Item evaluate_place(Compilation& c, const Expr& expr) {
  const bool may_have_place = std::holds_alternative<syntax::Name>(expr.node) ||
                              std::holds_alternative<syntax::Subscript>(expr.node) ||
                              std::holds_alternative<syntax::Attribute>(expr.node);
  if (!may_have_place) return evaluate(c, expr);
  const ir::Builder::Scope here(c.build, c.build.location_of(expr.range));
  return template_item(c, evaluate_node(c, expr), expr.range);
}

namespace {

Item evaluate_node(Compilation& c, const Expr& expr) {
  return std::visit(
      overloaded{
          [&](const syntax::Constant& e) -> Item {
            KernelScope scope(c);
            auto value = evaluate_constant(e, expr.range, scope);
            return value ? Item(std::move(*value)) : Item(Poison{});
          },
          [&](const syntax::Name&) -> Item { return evaluate_name(c, expr); },
          [&](const syntax::Attribute& e) -> Item { return lower_attribute(c, e, expr); },
          [&](const syntax::Subscript& e) -> Item { return lower_subscript(c, e, expr); },
          [&](const syntax::BinOp& e) -> Item { return lower_binop(c, e, expr); },
          [&](const syntax::UnaryOp& e) -> Item { return lower_unaryop(c, e, expr); },
          [&](const syntax::BoolOp& e) -> Item { return lower_boolop(c, e); },
          [&](const syntax::Compare& e) -> Item { return lower_comparison(c, e, expr); },
          [&](const syntax::IfExp& e) -> Item { return lower_ternary(c, e, expr); },
          [&](const syntax::Call& e) -> Item { return lower_call(c, e, expr); },
          [&](const syntax::Tuple& e) -> Item { return evaluate_display(c, e.elts); },
          [&](const syntax::ListExpr& e) -> Item {
            Item list = evaluate_display(c, e.elts);
            std::get<Items>(list).is_list = true;
            return list;
          },
          [&](const syntax::NamedExpr& e) -> Item { return lower_walrus(c, e, expr); },
          [&](const syntax::ListComp& e) -> Item { return lower_comprehension(c, e.generators, *e.elt); },
          [&](const syntax::GeneratorExp& e) -> Item { return lower_comprehension(c, e.generators, *e.elt); },
          [&](const syntax::Dict& e) -> Item { return dict_display(c, e); },
          [&](const syntax::DictComp& e) -> Item { return dict_comprehension(c, e); },
          [&](const syntax::JoinedStr&) -> Item { return static_value(c, expr); },
          [&](const auto&) -> Item { return c.report.error(ErrorKind::Syntax, expr.range, refusal(expr)); },
      },
      expr.node);
}

}  // namespace

Item static_value(Compilation& c, const Expr& expr) {
  KernelScope scope(c);
  auto value = evaluate(expr, scope, c.options);
  return value ? Item(std::move(*value)) : Item(Poison{});
}

namespace {

Item lower_walrus(Compilation& c, const syntax::NamedExpr& e, const Expr& expr) {
  Item value = evaluate(c, *e.value);
  std::string_view target = std::get<syntax::Name>(e.target->node).id;
  if (!c.function().find_local(target) && c.build.block() != c.function().statement_block) {
    return c.report.error(
        ErrorKind::Syntax, expr.range,
        fmt::format("`{}` is first assigned where evaluation may not come; assign it before", target));
  }
  assign_name(c, target, value, e.target->range, e.value->range, false);
  Binding* binding = c.function().find_local(target);
  return binding ? loaded(c, read_binding(c, *binding)) : Item(Poison{});
}

}  // namespace

}  // namespace qd::frontend
