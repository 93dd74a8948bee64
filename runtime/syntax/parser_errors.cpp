// How the parser gives up, with CPython's messages.
#include <fmt/format.h>

#include "runtime/syntax/parser.h"

namespace qd::syntax {

void Parser::fail_at(Range range, std::string message) const {
  throw ParseFailure{{std::move(message), range.line, range.col}, false};
}

void Parser::fail() const {
  if (at(Symbol::Indent)) fail_here("unexpected indent");
  if (at(Symbol::Dedent)) fail_here("unexpected unindent");
  throw ParseFailure{{"invalid syntax", cur_->range.line, cur_->range.col}, true};
}

void Parser::fail_expected(Symbol symbol) const {
  switch (symbol) {
    case Symbol::Colon:
      if (at(Symbol::Indent) || at(Symbol::Error)) fail();
      fail_here("expected ':'");
    case Symbol::LPar: fail_here("expected '('");
    default: fail();
  }
}

void Parser::fail_in_brackets(const Token* start) {
  if (starts_expression() && !is_probing_) {
    // CPython's hint when two expressions stand side by side.
    const Token* const place = cur_;
    is_probing_ = true;
    bool is_second = true;
    try {
      expression();
    } catch (const ParseFailure&) {
      is_second = false;
    }
    cur_ = place;
    if (is_second) fail_at(start->range, "invalid syntax. Perhaps you forgot a comma?");
  }
  if (at(Symbol::Equal)) fail_at(start->range, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
  fail();
}

void Parser::fail_after_statement(const Token* start) {
  if (start->symbol == Symbol::Name && (start->text == "print" || start->text == "exec") && cur_ == start + 1 && starts_expression()) {
    fail_at(start->range, fmt::format("Missing parentheses in call to '{0}'. Did you mean {0}(...)?", start->text));
  }
  fail();
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
