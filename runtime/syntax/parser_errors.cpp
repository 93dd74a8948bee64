// Reports failures of the parser, with CPython's messages.
#include <fmt/format.h>

#include "runtime/syntax/parser.h"

namespace qd::syntax {

void Parser::fail_at(Range range, std::string message) const {
  throw ParseFailure{{std::move(message), range.line, range.col}};
}

void Parser::fail_indentation(std::string message) const {
  throw ParseFailure{{std::move(message), cur_->range.line, cur_->range.col}, true};
}

void Parser::fail() {
  // CPython points at the last blank of the indentation.
  if (at(Symbol::Indent))
    throw ParseFailure{{"unexpected indent", cur_->range.line, std::max(cur_->range.end_col - 1, 0)}, true};
  if (at(Symbol::Dedent)) fail_indentation("unexpected unindent");
  if (!is_probing_ && last_expression_.end == cur_) {
    if (starts_expression()) explain_neighbours();
    if (at(Symbol::Equal)) explain_equal_sign();
  }
  fail_here("invalid syntax");
}

Expr* Parser::probe(Expr* (Parser::*parse)(), const Token** end) {
  const Token* const place = cur_;
  is_probing_ = true;
  Expr* result = nullptr;
  try {
    result = (this->*parse)();
  } catch (const ParseFailure&) {
  }
  is_probing_ = false;
  furthest_ = std::max(furthest_, cur_);
  if (at_end()) fail_here("invalid syntax");
  if (end) *end = cur_;
  cur_ = place;
  return result;
}

bool Parser::is_in_brackets() const {
  int level = 0;
  for (const Token* token = first_; token < cur_; ++token) {
    switch (token->symbol) {
      case Symbol::LPar:
      case Symbol::LSqb:
      case Symbol::LBrace: ++level; break;
      case Symbol::RPar:
      case Symbol::RSqb:
      case Symbol::RBrace: --level; break;
      default: break;
    }
  }
  return level > 0;
}

// Explains two expressions side by side.
void Parser::explain_neighbours() {
  const Token* const start = last_expression_.start;
  const bool is_name = start->symbol == Symbol::Name && cur_ == start + 1;
  if (is_name && (start->text == "print" || start->text == "exec")) {
    if (probe(&Parser::star_expressions)) {
      fail_at(start->range, fmt::format("Missing parentheses in call to '{0}'. Did you mean {0}(...)?", start->text));
    }
    return;
  }
  if (start->symbol == Symbol::Name) {
    if (start[1].symbol == Symbol::String) return;
    for (const std::string_view word : {"match", "case", "type", "_"}) {
      if (start->text == word) return;
    }
  }
  if (probe(&Parser::expression) && is_in_brackets())
    fail_at(start->range, "invalid syntax. Perhaps you forgot a comma?");
}

// Explains an '=' in a place for '==' or ':='.
void Parser::explain_equal_sign() {
  const Expr* const left = last_expression_.expr;
  advance();
  const Token* end = nullptr;
  const bool is_assigned =
      probe(&Parser::probe_bitwise, &end) && end->symbol != Symbol::Equal && end->symbol != Symbol::ColonEqual;
  --cur_;
  if (!is_assigned) return;
  if (std::holds_alternative<Name>(left->node)) {
    fail_at(left->range, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
  }
  if (can_be_mistaken_for_target(left)) {
    fail_at(left->range,
            fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?", expression_name(left)));
  }
}

Identifier Parser::expect_name() {
  if (!at(Symbol::Name)) fail();
  return advance()->text;
}

Range Parser::range_from(const Token* start) const {
  const Token* last = cur_ - 1;
  while (last->kind == TokenKind::Newline || last->kind == TokenKind::Indent || last->kind == TokenKind::Dedent) --last;
  return {start->range.line, start->range.col, last->range.end_line, last->range.end_col};
}

}  // namespace qd::syntax
