// Checks targets of assignments, deletions and loops, with CPython's messages.
#include "runtime/syntax/parser.h"

namespace qd::syntax {
namespace {

/// The first part of `expr` that is no target, or null.
const Expr* invalid_target(const Expr* expr, ExprContext context) {
  const auto first_invalid = [&](List<ExprPtr> elements) -> const Expr* {
    for (const ExprPtr element : elements) {
      if (const Expr* const invalid = invalid_target(element, context)) return invalid;
    }
    return nullptr;
  };
  if (const auto* list = std::get_if<ListExpr>(&expr->node)) return first_invalid(list->elts);
  if (const auto* tuple = std::get_if<Tuple>(&expr->node)) return first_invalid(tuple->elts);
  if (const auto* starred = std::get_if<Starred>(&expr->node)) {
    return context == ExprContext::Del ? expr : invalid_target(starred->value, context);
  }
  const bool is_target = std::holds_alternative<Name>(expr->node) || std::holds_alternative<Attribute>(expr->node) ||
                         std::holds_alternative<Subscript>(expr->node);
  return is_target ? nullptr : expr;
}

void change_context(const Expr* expr, ExprContext context) {
  // The tree is handed out as const, but the parser made it and no other code has seen it yet.
  auto& node = const_cast<Expr*>(expr)->node;
  if (auto* name = std::get_if<Name>(&node)) {
    name->ctx = context;
  } else if (auto* attribute = std::get_if<Attribute>(&node)) {
    attribute->ctx = context;
  } else if (auto* subscript = std::get_if<Subscript>(&node)) {
    subscript->ctx = context;
  } else if (auto* starred = std::get_if<Starred>(&node)) {
    starred->ctx = context;
    change_context(starred->value, context);
  } else if (auto* list = std::get_if<ListExpr>(&node)) {
    list->ctx = context;
    for (const ExprPtr element : list->elts) change_context(element, context);
  } else if (auto* tuple = std::get_if<Tuple>(&node)) {
    tuple->ctx = context;
    for (const ExprPtr element : tuple->elts) change_context(element, context);
  }
}

}  // namespace

void Parser::set_context(const Expr* expr, ExprContext context) {
  if (const Expr* const invalid = invalid_target(expr, context)) {
    const char* const verb = context == ExprContext::Del ? "cannot delete " : "cannot assign to ";
    fail_at(invalid->range, std::string(verb) + expression_name(invalid));
  }
  change_context(expr, context);
}

// Checks the left side of '='.
void Parser::check_assign_target(Expr* expr, const Token* start, bool is_first) {
  if (start->symbol == Symbol::Yield) fail_at(expr->range, "assignment to yield expression not possible");
  const Expr* const invalid = invalid_target(expr, ExprContext::Store);
  if (!invalid) return change_context(expr, ExprContext::Store);
  if (is_first && last_expression_.end == cur_ && last_expression_.expr == invalid && !is_probing_)
    explain_equal_sign();
  fail_at(invalid->range, std::string("cannot assign to ") + expression_name(invalid));
}

bool Parser::can_be_mistaken_for_target(const Expr* expr) {
  if (const auto* constant = std::get_if<Constant>(&expr->node)) {
    return constant->kind != ConstantKind::None && constant->kind != ConstantKind::True &&
           constant->kind != ConstantKind::False;
  }
  const auto& node = expr->node;
  return !(std::holds_alternative<ListExpr>(node) || std::holds_alternative<Tuple>(node) ||
           std::holds_alternative<GeneratorExp>(node) || std::holds_alternative<Compare>(node) ||
           std::holds_alternative<BoolOp>(node) || std::holds_alternative<IfExp>(node) ||
           std::holds_alternative<Lambda>(node) || std::holds_alternative<Starred>(node));
}

Expr* Parser::star_target_candidate() {
  if (!at(Symbol::Star)) return operators(kBitOr);
  const Token* const start = advance();
  if (at(Symbol::Star)) fail();
  Expr* const value = operators(kBitOr);
  set_height({height_});
  return make(start, Starred{value, ExprContext::Store});
}

Expr* Parser::star_target() {
  Expr* const target = star_target_candidate();
  set_context(target, ExprContext::Store);
  return target;
}

// Parses the targets between `for` and `in`.
Expr* Parser::star_targets(bool is_in_comprehension) {
  const Token* const start = cur_;
  Expr* target = star_target_candidate();
  if (at(Symbol::Comma)) target = tuple_rest(start, target, &Parser::star_target_candidate);
  if (is_in_comprehension && !at(Symbol::In) && !at_end()) fail_here("'in' expected after for-loop variables");
  set_context(target, ExprContext::Store);
  return target;
}

const char* Parser::expression_name(const Expr* expr) {
  const auto constant_name = [](const Constant& constant) {
    switch (constant.kind) {
      case ConstantKind::None: return "None";
      case ConstantKind::True: return "True";
      case ConstantKind::False: return "False";
      case ConstantKind::Ellipsis: return "ellipsis";
      default: return "literal";
    }
  };
  return std::visit(overloaded{
                        [](const Attribute&) { return "attribute"; },
                        [](const Subscript&) { return "subscript"; },
                        [](const Starred&) { return "starred"; },
                        [](const Name&) { return "name"; },
                        [](const ListExpr&) { return "list"; },
                        [](const Tuple&) { return "tuple"; },
                        [](const Lambda&) { return "lambda"; },
                        [](const Call&) { return "function call"; },
                        [](const BoolOp&) { return "expression"; },
                        [](const BinOp&) { return "expression"; },
                        [](const UnaryOp&) { return "expression"; },
                        [](const GeneratorExp&) { return "generator expression"; },
                        [](const Yield&) { return "yield expression"; },
                        [](const YieldFrom&) { return "yield expression"; },
                        [](const Await&) { return "await expression"; },
                        [](const ListComp&) { return "list comprehension"; },
                        [](const SetComp&) { return "set comprehension"; },
                        [](const DictComp&) { return "dict comprehension"; },
                        [](const Dict&) { return "dict literal"; },
                        [](const Set&) { return "set display"; },
                        [](const JoinedStr&) { return "f-string expression"; },
                        [](const FormattedValue&) { return "f-string expression"; },
                        [](const TemplateStr&) { return "t-string expression"; },
                        [](const Interpolation&) { return "t-string expression"; },
                        [&](const Constant& constant) { return constant_name(constant); },
                        [](const Compare&) { return "comparison"; },
                        [](const IfExp&) { return "conditional expression"; },
                        [](const NamedExpr&) { return "named expression"; },
                        [](const Slice&) { return "slice"; },
                    },
                    expr->node);
}

}  // namespace qd::syntax
