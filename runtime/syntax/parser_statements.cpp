// Parses simple statements, and chooses between them and compound ones.
#include <cstring>

#include "runtime/syntax/parser.h"

namespace qd::syntax {
namespace {

/// The operator of an augmented assignment, or nothing.
std::optional<Operator> augmented(Symbol symbol) {
  switch (symbol) {
    case Symbol::PlusEqual: return Operator::Add;
    case Symbol::MinusEqual: return Operator::Sub;
    case Symbol::StarEqual: return Operator::Mult;
    case Symbol::SlashEqual: return Operator::Div;
    case Symbol::DoubleSlashEqual: return Operator::FloorDiv;
    case Symbol::PercentEqual: return Operator::Mod;
    case Symbol::DoubleStarEqual: return Operator::Pow;
    case Symbol::LeftShiftEqual: return Operator::LShift;
    case Symbol::RightShiftEqual: return Operator::RShift;
    case Symbol::AmperEqual: return Operator::BitAnd;
    case Symbol::VBarEqual: return Operator::BitOr;
    case Symbol::CircumflexEqual: return Operator::BitXor;
    case Symbol::AtEqual: return Operator::MatMult;
    default: return std::nullopt;
  }
}

}  // namespace

List<StmtPtr> Parser::parse_file() {
  ListBuilder statements(stmts_);
  while (!at(Symbol::EndMarker)) {
    // A line of nothing but line joins and blanks leaves a bare Newline.
    if (!accept(Symbol::Newline)) statement(statements);
  }
  return statements.finish(arena_);
}

void Parser::statement(ListBuilder<StmtPtr>& into) {
  if (StmtPtr const compound = compound_statement()) {
    into.push(compound);
  } else {
    simple_statements(into);
  }
}

void Parser::simple_statements(ListBuilder<StmtPtr>& into) {
  for (;;) {
    into.push(simple_statement());
    if (accept(Symbol::Newline)) return;
    expect(Symbol::Semi);
    if (accept(Symbol::Newline)) return;
  }
}

StmtPtr Parser::simple_statement() {
  const Token* const start = cur_;
  switch (symbol()) {
    case Symbol::Name:
      if (start->text == "type" && next_is(Symbol::Name) &&
          (cur_[2].symbol == Symbol::Equal || cur_[2].symbol == Symbol::LSqb)) {
        return type_alias();
      }
      return expression_statement();
    case Symbol::Pass: advance(); return make_stmt(start, Pass{});
    case Symbol::Break: advance(); return make_stmt(start, Break{});
    case Symbol::Continue: advance(); return make_stmt(start, Continue{});
    case Symbol::Return: {
      advance();
      Expr* const value = starts_expression() || at(Symbol::Star) ? star_expressions() : nullptr;
      return make_stmt(start, Return{value});
    }
    case Symbol::Import: return import_statement();
    case Symbol::From: return import_from_statement();
    case Symbol::Raise: return raise_statement();
    case Symbol::Del: return delete_statement();
    case Symbol::Assert: return assert_statement();
    case Symbol::Global: {
      const List<Identifier> list = names();
      return make_stmt(start, Global{list});
    }
    case Symbol::Nonlocal: {
      const List<Identifier> list = names();
      return make_stmt(start, Nonlocal{list});
    }
    default: return expression_statement();
  }
}

// Parses an expression, or an assignment of any kind.
StmtPtr Parser::expression_statement() {
  const Token* const start = cur_;
  Expr* const first = yield_or_star_expressions();
  switch (symbol()) {
    case Symbol::Newline:
    case Symbol::Semi: return make_stmt(start, ExprStmt{first});
    case Symbol::Colon: return annotated_assignment(start, first);
    case Symbol::Equal: break;
    case Symbol::ColonEqual: fail();
    default:
      if (const auto op = augmented(symbol())) {
        if (!std::holds_alternative<Name>(first->node) && !std::holds_alternative<Attribute>(first->node) &&
            !std::holds_alternative<Subscript>(first->node)) {
          fail_at(first->range,
                  std::string("'") + expression_name(first) + "' is an illegal expression for augmented assignment");
        }
        set_context(first, ExprContext::Store);
        advance();
        Expr* const value = yield_or_star_expressions();
        return make_stmt(start, AugAssign{first, *op, value});
      }
      return make_stmt(start, ExprStmt{first});  // errors in the rest are the caller's
  }
  ListBuilder targets(exprs_);
  const Token* target_start = start;
  Expr* value = first;
  while (at(Symbol::Equal)) {
    check_assign_target(value, target_start, targets.size() == 0);
    targets.push(value);
    advance();
    target_start = cur_;
    value = yield_or_star_expressions();
  }
  return make_stmt(start, Assign{targets.finish(arena_), value});
}

StmtPtr Parser::annotated_assignment(const Token* start, Expr* target) {
  const bool is_single = std::holds_alternative<Name>(target->node) ||
                         std::holds_alternative<Attribute>(target->node) ||
                         std::holds_alternative<Subscript>(target->node);
  if (!is_single) {
    if (start->symbol == Symbol::Yield) fail();
    advance();
    const bool is_annotated = starts_expression() && probe(&Parser::expression);
    --cur_;
    if (!is_annotated) fail();
    if (std::holds_alternative<Tuple>(target->node) || std::holds_alternative<ListExpr>(target->node)) {
      fail_at(target->range, std::string("only single target (not ") + expression_name(target) + ") can be annotated");
    }
    fail_at(target->range, "illegal target for annotation");
  }
  set_context(target, ExprContext::Store);
  advance();
  Expr* const annotation = expression();
  Expr* const value = accept(Symbol::Equal) ? yield_or_star_expressions() : nullptr;
  const bool is_simple = std::holds_alternative<Name>(target->node) && start->symbol == Symbol::Name;
  return make_stmt(start, AnnAssign{target, annotation, value, is_simple});
}

StmtPtr Parser::delete_statement() {
  const Token* const start = advance();
  ListBuilder targets(exprs_);
  do {
    if (targets.size() > 0 && (at(Symbol::Newline) || at(Symbol::Semi))) break;
    Expr* const target = at(Symbol::Star) ? star_expression() : operators(kBitOr);
    set_context(target, ExprContext::Del);
    targets.push(target);
  } while (accept(Symbol::Comma));
  return make_stmt(start, Delete{targets.finish(arena_)});
}

StmtPtr Parser::assert_statement() {
  const Token* const start = advance();
  Expr* const test = expression();
  Expr* const message = accept(Symbol::Comma) ? expression() : nullptr;
  return make_stmt(start, Assert{test, message});
}

StmtPtr Parser::raise_statement() {
  const Token* const start = advance();
  if (!starts_expression()) return make_stmt(start, Raise{nullptr, nullptr});
  Expr* const exception = expression();
  Expr* const cause = accept(Symbol::From) ? expression() : nullptr;
  return make_stmt(start, Raise{exception, cause});
}

List<Identifier> Parser::names() {
  advance();
  ListBuilder list(identifiers_);
  do {
    list.push(expect_name());
  } while (accept(Symbol::Comma));
  return list.finish(arena_);
}

// Parses `a.b.c` in one piece, also with blanks or line joins between its parts.
Identifier Parser::dotted_name() {
  const Token* const start = cur_;
  size_t size = expect_name().size();
  while (at(Symbol::Dot)) {
    advance();
    size += 1 + expect_name().size();
  }
  const char* const begin = start->text.data();
  const char* const end = cur_[-1].text.data() + cur_[-1].text.size();
  if (static_cast<size_t>(end - begin) == size) return {begin, size};
  char* const place = arena_.characters(size);
  char* out = place;
  for (const Token* token = start; token < cur_; ++token) {
    std::memcpy(out, token->text.data(), token->text.size());
    out += token->text.size();
  }
  return {place, size};
}

Identifier Parser::import_alias() { return accept(Symbol::As) ? expect_name() : Identifier{}; }

StmtPtr Parser::import_statement() {
  const Token* const start = advance();
  ListBuilder aliases(aliases_);
  if (at(Symbol::Newline)) fail_here("Expected one or more names after 'import'");
  do {
    const Token* const first = cur_;
    const Identifier name = dotted_name();
    const Identifier asname = import_alias();
    aliases.push({name, asname, inner_range(first)});
  } while (accept(Symbol::Comma));
  return make_stmt(start, Import{aliases.finish(arena_)});
}

StmtPtr Parser::import_from_statement() {
  const Token* const start = advance();
  int32_t level = 0;
  for (; at(Symbol::Dot) || at(Symbol::Ellipsis); advance()) level += at(Symbol::Dot) ? 1 : 3;
  const Identifier module = level > 0 && at(Symbol::Import) ? Identifier{} : dotted_name();
  expect(Symbol::Import);
  ListBuilder aliases(aliases_);
  if (at(Symbol::Star)) {
    const Token* const star = advance();
    aliases.push({star->text, {}, inner_range(star)});
    return make_stmt(start, ImportFrom{module, aliases.finish(arena_), level});
  }
  const bool is_parenthesised = accept(Symbol::LPar);
  for (;;) {
    const Token* const first = cur_;
    const Identifier name = expect_name();
    const Identifier asname = import_alias();
    aliases.push({name, asname, inner_range(first)});
    if (!accept(Symbol::Comma)) break;
    if (is_parenthesised && at(Symbol::RPar)) break;
    if (!is_parenthesised && at(Symbol::Newline)) {
      fail_at(cur_->range, "trailing comma not allowed without surrounding parentheses");
    }
  }
  if (is_parenthesised) expect(Symbol::RPar);
  return make_stmt(start, ImportFrom{module, aliases.finish(arena_), level});
}

StmtPtr Parser::type_alias() {
  need_version(12);
  const Token* const start = advance();
  const Token* const name_start = cur_;
  const Identifier name = expect_name();
  ExprPtr const target = make(name_start, Name{name, ExprContext::Store});
  const List<TypeParam> params = type_parameters();
  expect(Symbol::Equal);
  ExprPtr const value = expression();
  return make_stmt(start, TypeAlias{target, params, value});
}

}  // namespace qd::syntax
