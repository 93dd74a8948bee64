// Parses the match statement and its patterns.
#include "runtime/syntax/parser.h"

namespace qd::syntax {

// Whether a match statement begins here; only there is `match` a keyword. For most, the second token decides. For the
// rest, a match statement has a ':' at the end of its line and `case` at the start of the next.
bool Parser::at_match_statement() const {
  switch (cur_[1].symbol) {
    case Symbol::Name:
    case Symbol::Number:
    case Symbol::String:
    case Symbol::FStringStart:
    case Symbol::True:
    case Symbol::False:
    case Symbol::None:
    case Symbol::Ellipsis:
    case Symbol::Lambda:
    case Symbol::Await:
    case Symbol::Tilde:
    case Symbol::LBrace: return true;
    case Symbol::Not: return cur_[2].symbol != Symbol::In;
    case Symbol::LPar:
    case Symbol::LSqb:
    case Symbol::Star:
    case Symbol::Plus:
    case Symbol::Minus: break;
    default: return false;
  }
  const Token* token = cur_ + 2;
  while (token->kind != TokenKind::Newline && token->kind != TokenKind::EndMarker) ++token;
  return token[-1].symbol == Symbol::Colon && token->kind == TokenKind::Newline && token[1].symbol == Symbol::Indent &&
         token[2].text == "case";
}

StmtPtr Parser::match_statement() {
  const Nesting nesting(*this);
  need_version(10);
  const Token* const start = advance();
  const Token* const subject_start = cur_;
  Expr* subject = star_named_expression();
  if (at(Symbol::Comma)) {
    subject = tuple_rest(subject_start, subject, &Parser::star_named_expression);
  } else if (subject_start->symbol == Symbol::Star) {
    fail();
  }
  expect_colon();
  expect(Symbol::Newline);
  if (!accept(Symbol::Indent)) {
    if (at(Symbol::Error)) fail();
    fail_indentation("expected an indented block after 'match' statement on line " + std::to_string(start->range.line));
  }
  ListBuilder cases(cases_);
  while (!at(Symbol::Dedent)) {
    if (!at_word("case")) fail();
    const Token* const keyword = advance();
    MatchCase match_case{};
    match_case.pattern = patterns();
    if (accept(Symbol::If)) match_case.guard = named_expression();
    expect_colon();
    match_case.body = block("'case' statement", keyword);
    cases.push(match_case);
  }
  advance();
  return make_stmt(start, Match{subject, cases.finish(arena_)});
}

// Parses the patterns of a case: one, or an open sequence.
PatternPtr Parser::patterns() {
  const Token* const start = cur_;
  PatternPtr const first = maybe_star_pattern();
  if (!at(Symbol::Comma)) {
    if (start->symbol == Symbol::Star) fail();
    return first;
  }
  ListBuilder elements(patterns_);
  elements.push(first);
  while (accept(Symbol::Comma)) {
    if (at(Symbol::Colon) || at(Symbol::If)) break;
    elements.push(maybe_star_pattern());
  }
  return make_pattern(start, MatchSequence{elements.finish(arena_)});
}

PatternPtr Parser::maybe_star_pattern() {
  if (!at(Symbol::Star)) return as_pattern();
  const Token* const start = advance();
  const Identifier name = expect_name();
  return make_pattern(start, MatchStar{name == "_" ? Identifier{} : name});
}

PatternPtr Parser::as_pattern() {
  const Nesting nesting(*this);
  const Token* const start = cur_;
  PatternPtr const pattern = or_pattern();
  if (!accept(Symbol::As)) return pattern;
  const Token* const target = cur_;
  if (!at(Symbol::Name)) fail_here("invalid pattern target");
  const Identifier name = expect_name();
  if (name == "_") fail_at(target->range, "cannot use '_' as a target");
  if (at(Symbol::Dot) || at(Symbol::LPar) || at(Symbol::Equal)) fail_at(target->range, "invalid pattern target");
  return make_pattern(start, MatchAs{pattern, name});
}

PatternPtr Parser::or_pattern() {
  const Token* const start = cur_;
  PatternPtr const first = closed_pattern();
  if (!at(Symbol::VBar)) return first;
  ListBuilder alternatives(patterns_);
  alternatives.push(first);
  while (accept(Symbol::VBar)) alternatives.push(closed_pattern());
  return make_pattern(start, MatchOr{alternatives.finish(arena_)});
}

PatternPtr Parser::closed_pattern() {
  const Nesting nesting(*this);
  const Token* const start = cur_;
  switch (symbol()) {
    case Symbol::None: advance(); return make_pattern(start, MatchSingleton{ConstantKind::None});
    case Symbol::True: advance(); return make_pattern(start, MatchSingleton{ConstantKind::True});
    case Symbol::False: advance(); return make_pattern(start, MatchSingleton{ConstantKind::False});
    case Symbol::Number:
    case Symbol::Minus:
    case Symbol::String:
    case Symbol::FStringStart: {
      ExprPtr const value = pattern_value();
      return make_pattern(start, MatchValue{value});
    }
    case Symbol::LPar: return sequence_pattern(Symbol::RPar);
    case Symbol::LSqb: return sequence_pattern(Symbol::RSqb);
    case Symbol::LBrace: return mapping_pattern();
    case Symbol::Name: break;
    default: fail();
  }
  if (!next_is(Symbol::Dot) && !next_is(Symbol::LPar)) {
    const Identifier name = expect_name();
    return make_pattern(start, MatchAs{nullptr, name == "_" ? Identifier{} : name});
  }
  height_ = 1;
  Expr* value = make(start, Name{expect_name(), ExprContext::Load});
  while (accept(Symbol::Dot)) {
    const Identifier attribute = expect_name();
    set_height({height_});
    value = make(start, Attribute{value, attribute, ExprContext::Load});
  }
  if (at(Symbol::LPar)) return class_pattern(start, value);
  return make_pattern(start, MatchValue{value});
}

// Parses a number with its sign, also as `real + imaginary`.
Expr* Parser::literal_number() {
  const auto signed_number = [this]() -> Expr* {
    const Token* const start = cur_;
    height_ = 1;
    if (!accept(Symbol::Minus)) return at(Symbol::Number) ? number() : (fail(), nullptr);
    if (!at(Symbol::Number)) fail();
    Expr* const operand = number();
    return make(start, UnaryOp{UnaryOperator::USub, operand});
  };
  const Token* const start = cur_;
  Expr* const real = signed_number();
  if (!at(Symbol::Plus) && !at(Symbol::Minus)) return real;
  if (cur_[-1].text.back() == 'j' || cur_[-1].text.back() == 'J')
    fail_at(cur_[-1].range, "real number required in complex literal");
  const Operator op = at(Symbol::Plus) ? Operator::Add : Operator::Sub;
  advance();
  if (!at(Symbol::Number)) fail();
  if (cur_->text.back() != 'j' && cur_->text.back() != 'J') fail_here("imaginary number required in complex literal");
  Expr* const imaginary = number();
  return make(start, BinOp{real, op, imaginary});
}

Expr* Parser::pattern_value() { return at(Symbol::Number) || at(Symbol::Minus) ? literal_number() : strings(); }

PatternPtr Parser::sequence_pattern(Symbol closing) {
  const Token* const start = advance();
  ListBuilder elements(patterns_);
  bool has_comma = false;
  while (!at(closing)) {
    elements.push(maybe_star_pattern());
    if (!accept(Symbol::Comma)) {
      has_comma |= elements.size() > 1;
      break;
    }
    has_comma = true;
  }
  expect(closing);
  if (closing == Symbol::RPar && elements.size() == 1 && !has_comma) {  // a group
    if (start[1].symbol == Symbol::Star) {
      --cur_;
      fail();
    }
    return elements[0];
  }
  return make_pattern(start, MatchSequence{elements.finish(arena_)});
}

PatternPtr Parser::mapping_pattern() {
  const Token* const start = advance();
  ListBuilder keys(exprs_);
  ListBuilder values(patterns_);
  Identifier rest;
  while (!at(Symbol::RBrace)) {
    if (!rest.empty()) fail();
    if (accept(Symbol::DoubleStar)) {
      rest = expect_name();
      if (rest == "_") {
        --cur_;
        fail();
      }
    } else {
      const Token* const key_start = cur_;
      height_ = 1;
      switch (symbol()) {
        case Symbol::None:
        case Symbol::True:
        case Symbol::False: keys.push(atom()); break;
        case Symbol::Name: {
          Expr* key = make(key_start, Name{expect_name(), ExprContext::Load});
          if (!at(Symbol::Dot)) fail();
          while (accept(Symbol::Dot)) {
            const Identifier attribute = expect_name();
            set_height({height_});
            key = make(key_start, Attribute{key, attribute, ExprContext::Load});
          }
          keys.push(key);
          break;
        }
        case Symbol::Number:
        case Symbol::Minus:
        case Symbol::String:
        case Symbol::FStringStart: keys.push(pattern_value()); break;
        default: fail();
      }
      expect(Symbol::Colon);
      values.push(as_pattern());
    }
    if (!accept(Symbol::Comma)) break;
  }
  expect(Symbol::RBrace);
  return make_pattern(start, MatchMapping{keys.finish(arena_), values.finish(arena_), rest});
}

PatternPtr Parser::class_pattern(const Token* start, Expr* cls) {
  advance();
  ListBuilder positional(patterns_);
  ListBuilder keyword_names(identifiers_);
  ListBuilder keyword_values(more_patterns_);
  while (!at(Symbol::RPar)) {
    if (at(Symbol::Name) && next_is(Symbol::Equal)) {
      keyword_names.push(expect_name());
      advance();
      keyword_values.push(as_pattern());
    } else {
      const Token* const pattern_start = cur_;
      PatternPtr const pattern = as_pattern();
      if (keyword_names.size() > 0) fail_at(pattern_start->range, "positional patterns follow keyword patterns");
      positional.push(pattern);
    }
    if (!accept(Symbol::Comma)) break;
  }
  expect(Symbol::RPar);
  return make_pattern(
      start, MatchClass{cls, positional.finish(arena_), keyword_names.finish(arena_), keyword_values.finish(arena_)});
}

}  // namespace qd::syntax
