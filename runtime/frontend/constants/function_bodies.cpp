// Properties of a function body, from its syntax tree, before it is lowered.
#include "runtime/frontend/constants/function_bodies.h"

#include "runtime/syntax/tree_walk.h"

namespace qd::frontend {

using syntax::exhaustive;
using syntax::Expr;
using syntax::OneOf;
using syntax::overloaded;
using syntax::Stmt;

namespace {

void collect_target(const Expr& target, std::unordered_set<std::string_view>& names) {
  std::visit(overloaded{
                 [&](const syntax::Name& n) { names.insert(n.id); },
                 [&](const syntax::Tuple& t) {
                   for (const Expr* e : t.elts) collect_target(*e, names);
                 },
                 [&](const syntax::ListExpr& t) {
                   for (const Expr* e : t.elts) collect_target(*e, names);
                 },
                 [&](const syntax::Starred& s) { collect_target(*s.value, names); },
                 [](const auto&) {},
             },
             target.node);
}

// Names bound by `:=`. They are names of the function, also of those in a comprehension.
void collect_walruses(const Expr& expr, std::unordered_set<std::string_view>& names) {
  syntax::walk_expression(expr, [&](const Expr& part) {
    if (auto* named = std::get_if<syntax::NamedExpr>(&part.node)) collect_target(*named->target, names);
    return true;
  });
}

void collect(syntax::List<syntax::StmtPtr> body, std::unordered_set<std::string_view>& names) {
  for (const Stmt* stmt : body) {
    syntax::for_each_expression(*stmt, [&](const Expr& expr) { collect_walruses(expr, names); });
    std::visit(exhaustive{
                   [&](const syntax::Assign& s) {
                     for (const Expr* target : s.targets) collect_target(*target, names);
                   },
                   [&](const OneOf<syntax::AugAssign, syntax::AnnAssign> auto& s) { collect_target(*s.target, names); },
                   [&](const syntax::For& s) {
                     collect_target(*s.target, names);
                     collect(s.body, names);
                     collect(s.orelse, names);
                   },
                   [&](const OneOf<syntax::While, syntax::If> auto& s) {
                     collect(s.body, names);
                     collect(s.orelse, names);
                   },
                   // Errors inside of functions and loops of kernels.
                   [](const OneOf<syntax::FunctionDef, syntax::ClassDef, syntax::With, syntax::Match, syntax::Try,
                                  syntax::Import, syntax::ImportFrom, syntax::TypeAlias, syntax::Delete, syntax::Global,
                                  syntax::Nonlocal> auto&) {},
                   [](const OneOf<syntax::Assert, syntax::ExprStmt, syntax::Pass> auto&) {},
                   [](const syntax::Jump auto&) {},
               },
               stmt->node);
  }
}

}  // namespace

std::unordered_set<std::string_view> assigned_names(syntax::List<syntax::StmtPtr> body) {
  std::unordered_set<std::string_view> names;
  collect(body, names);
  return names;
}

bool assigns(syntax::List<syntax::StmtPtr> body, std::string_view name) { return assigned_names(body).contains(name); }

bool has_walrus(const syntax::Expr& expr) {
  bool found = false;
  syntax::walk_expression(expr, [&](const syntax::Expr& part) {
    found |= std::holds_alternative<syntax::NamedExpr>(part.node);
    return !found;
  });
  return found;
}

syntax::List<syntax::StmtPtr> without_docstring(syntax::List<syntax::StmtPtr> body) {
  auto* first = body.empty() ? nullptr : std::get_if<syntax::ExprStmt>(&body[0]->node);
  auto* text = first ? std::get_if<syntax::Constant>(&first->value->node) : nullptr;
  return text && text->kind == syntax::ConstantKind::Str ? body.subspan(1) : body;
}

bool is_constant_test(const Expr& test) {
  return std::visit(
      overloaded{
          [](const syntax::Constant&) { return true; },
          [](const syntax::Name& e) { return e.id == "__debug__"; },
          [](const syntax::UnaryOp& e) { return e.op == syntax::UnaryOperator::Not && is_constant_test(*e.operand); },
          [](const syntax::BoolOp& e) {
            for (const Expr* value : e.values) {
              if (!is_constant_test(*value)) return false;
            }
            return true;
          },
          [](const auto&) { return false; },
      },
      test.node);
}

}  // namespace qd::frontend
