// Walk over a syntax tree: visits the children of nodes.
#pragma once

#include <utility>
#include <vector>

#include "runtime/syntax/ast.h"

namespace qd::syntax {

/// Calls `visit` with every suite (list of statements) directly inside `stmt`.
template <typename Visit>
void for_each_suite(const syntax::Stmt& stmt, Visit&& visit) {
  std::visit(exhaustive{
                 [&](const OneOf<FunctionDef, ClassDef, With> auto& n) { visit(n.body); },
                 [&](const OneOf<For, While, If> auto& n) { visit(n.body), visit(n.orelse); },
                 [&](const Match& n) {
                   for (const MatchCase& c : n.cases) visit(c.body);
                 },
                 [&](const Try& n) {
                   visit(n.body);
                   for (const ExceptHandler& handler : n.handlers) visit(handler.body);
                   visit(n.orelse);
                   visit(n.finalbody);
                 },
                 [](const SimpleStatement auto&) {},
             },
             stmt.node);
}

/// Calls `visit` with every expression directly inside `expr`.
template <typename Visit>
void for_each_child(const syntax::Expr& expr, Visit&& visit) {
  auto one = [&](ExprPtr child) {
    if (child) visit(*child);
  };
  auto each = [&](List<ExprPtr> children) {
    for (ExprPtr child : children) one(child);
  };
  auto generators = [&](List<Comprehension> parts) {
    for (const Comprehension& part : parts) one(part.target), one(part.iter), each(part.ifs);
  };
  auto comprehension = [&](const auto& n) { one(n.elt), generators(n.generators); };
  std::visit(overloaded{
                 [&](const BoolOp& n) { each(n.values); },
                 [&](const NamedExpr& n) { one(n.target), one(n.value); },
                 [&](const BinOp& n) { one(n.left), one(n.right); },
                 [&](const UnaryOp& n) { one(n.operand); },
                 [&](const Lambda& n) { each(n.args->defaults), each(n.args->kw_defaults), one(n.body); },
                 [&](const IfExp& n) { one(n.test), one(n.body), one(n.orelse); },
                 [&](const Dict& n) { each(n.keys), each(n.values); },
                 [&](const Set& n) { each(n.elts); },
                 [&](const ListComp& n) { comprehension(n); },
                 [&](const SetComp& n) { comprehension(n); },
                 [&](const DictComp& n) { one(n.key), one(n.value), generators(n.generators); },
                 [&](const GeneratorExp& n) { comprehension(n); },
                 [&](const Await& n) { one(n.value); },
                 [&](const Yield& n) { one(n.value); },
                 [&](const YieldFrom& n) { one(n.value); },
                 [&](const Compare& n) { one(n.left), each(n.comparators); },
                 [&](const Call& n) {
                   one(n.func), each(n.args);
                   for (const Keyword& keyword : n.keywords) one(keyword.value);
                 },
                 [&](const FormattedValue& n) { one(n.value), one(n.format_spec); },
                 [&](const Interpolation& n) { one(n.value), one(n.format_spec); },
                 [&](const JoinedStr& n) { each(n.values); },
                 [&](const TemplateStr& n) { each(n.values); },
                 [&](const Attribute& n) { one(n.value); },
                 [&](const Subscript& n) { one(n.value), one(n.slice); },
                 [&](const Starred& n) { one(n.value); },
                 [&](const ListExpr& n) { each(n.elts); },
                 [&](const Tuple& n) { each(n.elts); },
                 [&](const Slice& n) { one(n.lower), one(n.upper), one(n.step); },
                 [](const Constant&) {},
                 [](const Name&) {},
             },
             expr.node);
}

/// Calls `visit` with `expr` and everything inside it, outside in and from left to right. An expression for which
/// `visit` returns false is not entered. This does not recurse, because a sum of thousands of terms is thousands of
/// levels deep.
template <typename Visit>
void walk_expression(const syntax::Expr& expr, Visit&& visit) {
  std::vector<const syntax::Expr*> open = {&expr}, children;
  while (!open.empty()) {
    const syntax::Expr& current = *open.back();
    open.pop_back();
    if (!visit(current)) continue;
    children.clear();
    for_each_child(current, [&](const syntax::Expr& child) { children.push_back(&child); });
    open.insert(open.end(), children.rbegin(), children.rend());
  }
}

/// Calls `visit` with every expression that `stmt` evaluates itself, not those in its suites.
template <typename Visit>
void for_each_expression(const syntax::Stmt& stmt, Visit&& visit) {
  auto one = [&](ExprPtr child) {
    if (child) visit(*child);
  };
  auto each = [&](List<ExprPtr> children) {
    for (ExprPtr child : children) one(child);
  };
  std::visit(
      exhaustive{
          [&](const FunctionDef& n) { each(n.decorator_list), each(n.args->defaults), each(n.args->kw_defaults); },
          [&](const ClassDef& n) {
            each(n.decorator_list), each(n.bases);
            for (const Keyword& keyword : n.keywords) one(keyword.value);
          },
          [&](const Delete& n) { each(n.targets); },
          [&](const Assign& n) { each(n.targets), one(n.value); },
          [&](const OneOf<AugAssign, AnnAssign> auto& n) { one(n.target), one(n.value); },
          [&](const For& n) { one(n.target), one(n.iter); },
          [&](const OneOf<While, If> auto& n) { one(n.test); },
          [&](const With& n) {
            for (const WithItem& item : n.items) one(item.context_expr), one(item.optional_vars);
          },
          [&](const Match& n) {
            one(n.subject);
            for (const MatchCase& c : n.cases) one(c.guard);
          },
          [&](const Raise& n) { one(n.exc), one(n.cause); },
          [&](const Try& n) {
            for (const ExceptHandler& handler : n.handlers) one(handler.type);
          },
          [&](const Assert& n) { one(n.test), one(n.msg); },
          [&](const OneOf<Return, TypeAlias, ExprStmt> auto& n) { one(n.value); },
          [](const OneOf<Import, ImportFrom, Global, Nonlocal, Pass, Break, Continue> auto&) {},
      },
      stmt.node);
}

}  // namespace qd::syntax
