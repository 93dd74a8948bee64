// Parses compound statements.
#include <fmt/format.h>

#include "runtime/syntax/parser.h"

namespace qd::syntax {

/// The compound statement that begins here, or null when a simple one does.
StmtPtr Parser::compound_statement() {
  switch (symbol()) {
    case Symbol::Def: return function_definition(cur_, {}, false);
    case Symbol::If: return if_statement();
    case Symbol::Class: return class_definition(cur_, {});
    case Symbol::At: return decorated();
    case Symbol::For: return for_statement(cur_, false);
    case Symbol::With: return with_statement(cur_, false);
    case Symbol::Try: return try_statement();
    case Symbol::While: return while_statement();
    case Symbol::Async: {
      const Token* const start = advance();
      if (at(Symbol::Def)) return function_definition(start, {}, true);
      if (at(Symbol::For)) return for_statement(start, true);
      if (at(Symbol::With)) return with_statement(start, true);
      fail();
    }
    case Symbol::Name: return cur_->text == "match" && at_match_statement() ? match_statement() : nullptr;
    default: return nullptr;
  }
}

void Parser::expect_colon(bool is_certain) {
  if (accept(Symbol::Colon)) return;
  if (at(Symbol::Newline) || (is_certain && !at_end())) fail_here("expected ':'");
  fail();
}

// Parses a block. `after` names its owner, which `keyword` began.
List<StmtPtr> Parser::block(std::string_view after, const Token* keyword) {
  const Nesting nesting(*this);
  ListBuilder statements(stmts_);
  if (!accept(Symbol::Newline)) {
    simple_statements(statements);
    return statements.finish(arena_);
  }
  if (!accept(Symbol::Indent)) {
    if (at(Symbol::Error)) fail();
    fail_indentation(fmt::format("expected an indented block after {} on line {}", after, keyword->range.line));
  }
  while (!at(Symbol::Dedent)) {
    if (at_end()) fail();
    statement(statements);
  }
  advance();
  return statements.finish(arena_);
}

StmtPtr Parser::if_statement() {
  // The chain is collected first and then nested from its end, because thousands of `elif` are valid.
  struct Branch {
    const Token* start;
    ExprPtr test;
    List<StmtPtr> body;
  };
  std::vector<Branch> later;
  const Token* const first = advance();
  ExprPtr const first_test = named_expression();
  expect_colon();
  const List<StmtPtr> first_body = block("'if' statement", first);
  while (at(Symbol::Elif)) {
    if (depth_ + static_cast<int>(later.size()) > kMaxHeight) fail_here("too many nested expressions or statements");
    const Token* const start = advance();
    ExprPtr const test = named_expression();
    expect_colon();
    later.push_back({start, test, block("'elif' statement", start)});
  }
  List<StmtPtr> orelse = else_block();
  for (; !later.empty(); later.pop_back()) {
    const Branch& branch = later.back();
    StmtPtr const nested = make_stmt(branch.start, If{branch.test, branch.body, orelse});
    orelse = arena_.copy(&nested, 1);
  }
  return make_stmt(first, If{first_test, first_body, orelse});
}

List<StmtPtr> Parser::else_block() {
  if (!at(Symbol::Else)) return {};
  const Token* const keyword = advance();
  expect_colon(true);
  return block("'else' statement", keyword);
}

StmtPtr Parser::while_statement() {
  const Token* const start = advance();
  ExprPtr const test = named_expression();
  expect_colon();
  const List<StmtPtr> body = block("'while' statement", start);
  const List<StmtPtr> orelse = else_block();
  return make_stmt(start, While{test, body, orelse});
}

StmtPtr Parser::for_statement(const Token* start, bool is_async) {
  const Token* const keyword = advance();
  ExprPtr const target = star_targets(false);
  expect(Symbol::In);
  ExprPtr const iter = star_expressions();
  expect_colon();
  const List<StmtPtr> body = block("'for' statement", keyword);
  const List<StmtPtr> orelse = else_block();
  return make_stmt(start, For{target, iter, body, orelse, is_async});
}

// Whether the parenthesis after `with` encloses the items rather than (part of) the first item's expression: it does
// when ':' follows it and nothing directly in it makes it a generator, a tuple with a star, a yield or a walrus.
bool Parser::has_parenthesised_items() const {
  if (!at(Symbol::LPar) || next_is(Symbol::RPar)) return false;
  int depth = 0;
  bool is_plain = false;
  int lambdas = 0;
  for (const Token* token = cur_;; ++token) {
    switch (token->symbol) {
      case Symbol::LPar:
      case Symbol::LSqb:
      case Symbol::LBrace: ++depth; break;
      case Symbol::RPar:
      case Symbol::RSqb:
      case Symbol::RBrace:
        if (--depth == 0) return !is_plain && token[1].symbol == Symbol::Colon;
        break;
      case Symbol::Lambda:
        if (depth == 1) ++lambdas;
        break;
      case Symbol::Colon:
        if (depth == 1 && lambdas > 0) --lambdas;
        break;
      case Symbol::As:
        if (depth == 1) return true;
        break;
      case Symbol::For:
      case Symbol::Yield:
      case Symbol::ColonEqual: is_plain |= depth == 1; break;
      case Symbol::Star:
        is_plain |=
            depth == 1 && lambdas == 0 && (token[-1].symbol == Symbol::LPar || token[-1].symbol == Symbol::Comma);
        break;
      case Symbol::EndMarker:
      case Symbol::Error: return false;
      default: break;
    }
  }
}

WithItem Parser::with_item() {
  ExprPtr const context = expression();
  if (!accept(Symbol::As)) return {context, nullptr};
  ExprPtr const target = star_target();
  return {context, target};
}

StmtPtr Parser::with_statement(const Token* start, bool is_async) {
  const Token* const keyword = advance();
  ListBuilder items(with_items_);
  if (has_parenthesised_items()) {
    advance();
    do {
      if (at(Symbol::RPar)) break;
      items.push(with_item());
      if (items.back().optional_vars) need_version(9);
    } while (accept(Symbol::Comma));
    expect(Symbol::RPar);
  } else {
    do {
      items.push(with_item());
    } while (accept(Symbol::Comma));
  }
  expect_colon();
  const List<StmtPtr> body = block("'with' statement", keyword);
  return make_stmt(start, With{items.finish(arena_), body, is_async});
}

StmtPtr Parser::try_statement() {
  const Token* const start = advance();
  expect_colon(true);
  Try result{};
  result.body = block("'try' statement", start);
  ListBuilder handlers(handlers_);
  while (at(Symbol::Except)) {
    const bool is_first = handlers.size() == 0;
    handlers.push(except_handler(result.is_star, is_first));
  }
  if (handlers.size() > 0) result.orelse = else_block();
  if (at(Symbol::Finally)) {
    const Token* const keyword = advance();
    expect_colon(true);
    result.finalbody = block("'finally' statement", keyword);
  } else if (handlers.size() == 0) {
    if (at(Symbol::Error)) fail();
    fail_here("expected 'except' or 'finally' block");
  }
  result.handlers = handlers.finish(arena_);
  return make_stmt(start, result);
}

ExceptHandler Parser::except_handler(bool& is_star, bool is_first) {
  const Token* const start = advance();
  const bool has_star = accept(Symbol::Star);
  if (is_first) {
    is_star = has_star;
  } else if (is_star != has_star) {
    fail_at(start->range, "cannot have both 'except' and 'except*' on the same 'try'");
  }
  if (has_star) need_version(11);
  const std::string_view owner = has_star ? "'except*' statement" : "'except' statement";
  ExceptHandler handler{};
  if (at(Symbol::Colon)) {
    if (has_star) fail_here("expected one or more exception types");
  } else {
    const Token* const first = cur_;
    Expr* type = expression();
    if (at(Symbol::Comma)) {
      type = tuple_rest(first, type, &Parser::expression);
      need_version(14);
      if (at(Symbol::As)) fail_at(inner_range(first), "multiple exception types must be parenthesized when using 'as'");
    }
    handler.type = type;
    if (accept(Symbol::As)) handler.name = expect_name();
  }
  expect_colon();
  handler.body = block(owner, start);
  handler.range = range_from(start);
  return handler;
}

// Whether a dotted name is next, perhaps called: before Python 3.9, decorators could be nothing else.
bool Parser::at_plain_decorator() const {
  const Token* token = cur_;
  if (token->symbol != Symbol::Name) return false;
  for (++token; token->symbol == Symbol::Dot && token[1].symbol == Symbol::Name;) token += 2;
  if (token->symbol == Symbol::LPar) {
    int depth = 0;
    do {
      if (token->kind == TokenKind::EndMarker) return true;  // an error of its own
      depth += token->symbol == Symbol::LPar ? 1 : token->symbol == Symbol::RPar ? -1 : 0;
      ++token;
    } while (depth > 0);
  }
  return token->kind == TokenKind::Newline;
}

StmtPtr Parser::decorated() {
  ListBuilder decorators(exprs_);
  while (accept(Symbol::At)) {
    if (!at_plain_decorator()) need_version(9);
    decorators.push(named_expression());
    expect(Symbol::Newline);
  }
  const List<ExprPtr> list = decorators.finish(arena_);
  const Token* const start = cur_;
  if (at(Symbol::Class)) return class_definition(start, list);
  const bool is_async = accept(Symbol::Async);
  if (!at(Symbol::Def)) fail();
  return function_definition(start, list, is_async);
}

StmtPtr Parser::function_definition(const Token* start, List<ExprPtr> decorators, bool is_async) {
  const Token* const keyword = advance();
  FunctionDef result{};
  result.is_async = is_async;
  result.decorator_list = decorators;
  result.name = expect_name();
  result.type_params = type_parameters();
  if (!at(Symbol::LPar) && !at_end()) fail_here("expected '('");
  expect(Symbol::LPar);
  result.args = parameters(Symbol::RPar, true);
  expect(Symbol::RPar);
  if (accept(Symbol::Arrow)) result.returns = expression();
  expect_colon(true);
  result.body = block("function definition", keyword);
  return make_stmt(start, result);
}

StmtPtr Parser::class_definition(const Token* start, List<ExprPtr> decorators) {
  advance();
  ClassDef result{};
  result.decorator_list = decorators;
  result.name = expect_name();
  result.type_params = type_parameters();
  if (at(Symbol::LPar)) {
    const CallArguments arguments = call_arguments();
    result.bases = arguments.args;
    result.keywords = arguments.keywords;
  }
  expect_colon();
  result.body = block("class definition", start);
  return make_stmt(start, result);
}

List<TypeParam> Parser::type_parameters() {
  if (!at(Symbol::LSqb)) return {};
  advance();
  need_version(12);
  if (at(Symbol::RSqb)) fail_here("Type parameter list cannot be empty");
  ListBuilder params(type_params_);
  do {
    if (at(Symbol::RSqb)) break;
    const Token* const start = cur_;
    TypeParam param{};
    param.kind = accept(Symbol::Star)         ? TypeParamKind::TypeVarTuple
                 : accept(Symbol::DoubleStar) ? TypeParamKind::ParamSpec
                                              : TypeParamKind::TypeVar;
    param.name = expect_name();
    if (at(Symbol::Colon)) {
      if (param.kind != TypeParamKind::TypeVar) {
        const char* const kind = param.kind == TypeParamKind::ParamSpec ? "ParamSpec" : "TypeVarTuple";
        advance();
        const bool is_tuple = at(Symbol::LPar) && std::holds_alternative<Tuple>(expression()->node);
        fail_at(start[2].range, fmt::format("cannot use {} with {}", is_tuple ? "constraints" : "bound", kind));
      }
      advance();
      param.bound = expression();
    }
    if (accept(Symbol::Equal)) {
      need_version(13);
      param.default_value = param.kind == TypeParamKind::TypeVarTuple ? star_expression() : expression();
    }
    param.range = inner_range(start);
    params.push(param);
  } while (accept(Symbol::Comma));
  expect(Symbol::RSqb);
  return params.finish(arena_);
}

}  // namespace qd::syntax
