// Parses atoms, displays and comprehensions, and their trailers: attributes, calls, subscripts.
#include "runtime/syntax/parser.h"

namespace qd::syntax {

Expr* Parser::primary() {
  const Token* const start = cur_;
  if (at(Symbol::Await)) {
    advance();
    const Token* const operand = cur_;
    Expr* const value = trailers(operand, atom());
    set_height({height_});
    return make(start, Await{value});
  }
  Expr* const value = atom();
  switch (symbol()) {
    case Symbol::Dot:
    case Symbol::LPar:
    case Symbol::LSqb: return trailers(start, value);
    default: return value;
  }
}

Expr* Parser::trailers(const Token* start, Expr* value) {
  for (;;) {
    Height height{height_};
    switch (symbol()) {
      case Symbol::Dot: {
        advance();
        const Identifier name = expect_name();
        set_height(height);
        value = make(start, Attribute{value, name, ExprContext::Load});
        break;
      }
      case Symbol::LPar: {
        height_ = 0;
        const CallArguments arguments = call_arguments();
        height.add(*this);
        set_height(height);
        value = make(start, Call{value, arguments.args, arguments.keywords});
        break;
      }
      case Symbol::LSqb: {
        advance();
        Expr* const index = slices();
        expect(Symbol::RSqb);
        height.add(*this);
        set_height(height);
        value = make(start, Subscript{value, index, ExprContext::Load});
        break;
      }
      default: return value;
    }
  }
}

Expr* Parser::slices() {
  const Token* const start = cur_;
  const auto item = [this] {
    if (!at(Symbol::Star)) return slice();
    need_version(11);
    return star_expression();
  };
  const bool is_starred = at(Symbol::Star);
  Expr* const first = item();
  if (!at(Symbol::Comma) && !is_starred) return first;
  ListBuilder elements(exprs_);
  Height height{height_};
  elements.push(first);
  while (accept(Symbol::Comma)) {
    if (at(Symbol::RSqb)) break;
    elements.push(item());
    height.add(*this);
  }
  set_height(height);
  return make(start, Tuple{elements.finish(arena_), ExprContext::Load});
}

Expr* Parser::slice() {
  const Token* const start = cur_;
  Height height;
  height_ = 0;
  const auto bound = [&]() -> Expr* {
    if (!starts_expression()) return nullptr;
    Expr* const value = expression();
    height.add(*this);
    return value;
  };
  Expr* lower = nullptr;
  if (!at(Symbol::Colon)) {
    if (at_walrus()) {
      need_version(10);
      return named_expression();
    }
    lower = named_expression();
    if (!at(Symbol::Colon)) return lower;
    height.add(*this);
  }
  advance();
  Expr* const upper = bound();
  Expr* const step = accept(Symbol::Colon) ? bound() : nullptr;
  set_height(height);
  return make(start, Slice{lower, upper, step});
}

Expr* Parser::atom() {
  const Token* const start = cur_;
  height_ = 1;
  switch (symbol()) {
    case Symbol::Name: advance(); return make(start, Name{start->text, ExprContext::Load});
    case Symbol::Number: return number();
    case Symbol::String:
    case Symbol::FStringStart: return strings();
    case Symbol::True: advance(); return make(start, Constant{ConstantKind::True, {}});
    case Symbol::False: advance(); return make(start, Constant{ConstantKind::False, {}});
    case Symbol::None: advance(); return make(start, Constant{ConstantKind::None, {}});
    case Symbol::Ellipsis: advance(); return make(start, Constant{ConstantKind::Ellipsis, {}});
    case Symbol::LPar: return parenthesised();
    case Symbol::LSqb: return list_display();
    case Symbol::LBrace: return brace_display();
    default: fail();
  }
}

Expr* Parser::number() {
  const Token* const start = advance();
  const std::string_view text = start->text;
  const bool has_radix = text.size() > 1 && std::string_view("xXoObB").find(text[1]) != std::string_view::npos;
  if (has_radix || text.size() == 1) return make(start, Constant{ConstantKind::Int, text});
  if ((text.back() | 0x20) == 'j') return make(start, Constant{ConstantKind::Complex, text});
  const bool is_float = text.find_first_of(".eE") != std::string_view::npos;
  return make(start, Constant{is_float ? ConstantKind::Float : ConstantKind::Int, text});
}

// Parses a group, a tuple, a generator expression, or a yield.
Expr* Parser::parenthesised() {
  const Nesting nesting(*this);
  const Token* const start = advance();
  if (accept(Symbol::RPar)) return make(start, Tuple{{}, ExprContext::Load});
  const Token* const inner = cur_;
  if (at(Symbol::Yield)) {
    Expr* const value = yield_expression();
    expect(Symbol::RPar);
    return value;
  }
  Expr* const first = star_named_expression();
  if (at(Symbol::RPar)) {
    if (inner->symbol == Symbol::Star) fail_at(first->range, "cannot use starred expression here");
    advance();
    return first;
  }
  Height height{height_};
  if (at_comprehension()) {
    if (inner->symbol == Symbol::Star) fail_at(first->range, "iterable unpacking cannot be used in comprehension");
    const List<Comprehension> generators = comprehension_clauses();
    height.add(*this);
    expect(Symbol::RPar);
    set_height(height);
    return make(start, GeneratorExp{first, generators});
  }
  if (!at(Symbol::Comma)) fail();
  ListBuilder elements(exprs_);
  elements.push(first);
  while (accept(Symbol::Comma)) {
    if (at(Symbol::RPar)) break;
    elements.push(star_named_expression());
    height.add(*this);
  }
  expect(Symbol::RPar);
  set_height(height);
  return make(start, Tuple{elements.finish(arena_), ExprContext::Load});
}

Expr* Parser::list_display() {
  const Nesting nesting(*this);
  const Token* const start = advance();
  ListBuilder elements(exprs_);
  Height height;
  while (!at(Symbol::RSqb)) {
    const Token* const element = cur_;
    Expr* const value = star_named_expression();
    height.add(*this);
    if (elements.size() == 0 && at_comprehension()) {
      if (element->symbol == Symbol::Star) fail_at(value->range, "iterable unpacking cannot be used in comprehension");
      const List<Comprehension> generators = comprehension_clauses();
      height.add(*this);
      expect(Symbol::RSqb);
      set_height(height);
      return make(start, ListComp{value, generators});
    }
    elements.push(value);
    if (!accept(Symbol::Comma)) break;
  }
  expect(Symbol::RSqb);
  set_height(height);
  return make(start, ListExpr{elements.finish(arena_), ExprContext::Load});
}

// Parses a dict, a set, or a comprehension of either.
Expr* Parser::brace_display() {
  const Nesting nesting(*this);
  const Token* const start = advance();
  height_ = 0;
  if (accept(Symbol::RBrace)) {
    set_height({});
    return make(start, Dict{});
  }
  if (accept(Symbol::DoubleStar)) {
    Expr* const value = operators(kBitOr);
    if (at_comprehension()) fail_at(start[1].range, "dict unpacking cannot be used in dict comprehension");
    return dict_display(start, nullptr, value);
  }
  const Token* const element = cur_;
  if (at_walrus()) need_version(10);
  Expr* const first = star_named_expression();
  Height height{height_};
  if (at(Symbol::Colon) && element->symbol != Symbol::Star) {
    advance();
    if (!starts_expression()) fail_at(cur_[-1].range, "expression expected after dictionary key and ':'");
    Expr* const value = expression();
    height.add(*this);
    if (at_comprehension()) {
      const List<Comprehension> generators = comprehension_clauses();
      height.add(*this);
      expect(Symbol::RBrace);
      set_height(height);
      return make(start, DictComp{first, value, generators});
    }
    height_ = height.value;
    return dict_display(start, first, value);
  }
  if (at_comprehension()) {
    if (element->symbol == Symbol::Star) fail_at(first->range, "iterable unpacking cannot be used in comprehension");
    const List<Comprehension> generators = comprehension_clauses();
    height.add(*this);
    expect(Symbol::RBrace);
    set_height(height);
    return make(start, SetComp{first, generators});
  }
  ListBuilder elements(exprs_);
  elements.push(first);
  while (accept(Symbol::Comma)) {
    if (at(Symbol::RBrace)) break;
    if (at_walrus()) need_version(10);
    elements.push(star_named_expression());
    height.add(*this);
  }
  expect(Symbol::RBrace);
  set_height(height);
  return make(start, Set{elements.finish(arena_)});
}

Expr* Parser::dict_display(const Token* start, ExprPtr first_key, ExprPtr first_value) {
  ListBuilder keys(exprs_);
  ListBuilder values(more_exprs_);
  Height height{height_};
  keys.push(first_key);
  values.push(first_value);
  while (accept(Symbol::Comma)) {
    if (at(Symbol::RBrace)) break;
    if (accept(Symbol::DoubleStar)) {
      keys.push(nullptr);
      values.push(operators(kBitOr));
      height.add(*this);
      continue;
    }
    keys.push(expression());
    height.add(*this);
    if (!accept(Symbol::Colon)) fail_at(cur_[-1].range, "':' expected after dictionary key");
    if (!starts_expression()) {
      if (at(Symbol::Star)) fail_here("cannot use a starred expression in a dictionary value");
      fail_at(cur_[-1].range, "expression expected after dictionary key and ':'");
    }
    values.push(expression());
    height.add(*this);
  }
  expect(Symbol::RBrace);
  set_height(height);
  return make(start, Dict{keys.finish(arena_), values.finish(arena_)});
}

List<Comprehension> Parser::comprehension_clauses() {
  ListBuilder clauses(comprehensions_);
  Height height;
  while (at_comprehension()) {
    Comprehension clause{};
    clause.is_async = accept(Symbol::Async);
    expect(Symbol::For);
    clause.target = star_targets(true);
    height.add(*this);
    expect(Symbol::In);
    clause.iter = disjunction();
    height.add(*this);
    ListBuilder ifs(exprs_);
    while (accept(Symbol::If)) {
      ifs.push(disjunction());
      height.add(*this);
    }
    clause.ifs = ifs.finish(arena_);
    clauses.push(clause);
  }
  height_ = height.value;
  return clauses.finish(arena_);
}

}  // namespace qd::syntax
