// Parses the arguments of calls and class definitions, and the parameters of functions and lambdas.
#include "runtime/syntax/parser.h"

namespace qd::syntax {

// The arguments of a call, from the opening parenthesis to the closing one.
Parser::CallArguments Parser::call_arguments() {
  const Nesting nesting(*this);
  const Token* const open = advance();
  ListBuilder args(exprs_);
  ListBuilder keywords(keywords_);
  Height height;
  bool has_unpacking = false;
  const Token* argument = cur_;
  while (!at(Symbol::RPar)) {
    argument = cur_;
    height_ = 0;
    if (accept(Symbol::Star)) {
      if (has_unpacking) fail_at(argument[-1].range, "iterable argument unpacking follows keyword argument unpacking");
      Expr* const value = expression();
      set_height({height_});
      args.push(make(argument, Starred{value, ExprContext::Load}));
    } else if (accept(Symbol::DoubleStar)) {
      has_unpacking = true;
      Expr* const value = expression();
      keywords.push({{}, value, inner_range(argument)});
    } else if (at(Symbol::Name) && next_is(Symbol::Equal)) {
      advance();
      advance();
      if (at(Symbol::Comma) || at(Symbol::RPar)) fail_at(inner_range(argument), "expected argument value expression");
      Expr* const value = expression();
      if (at_comprehension())
        fail_at(inner_range(argument), "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
      keywords.push({argument->text, value, inner_range(argument)});
    } else {
      Expr* const value = named_expression();
      if (at(Symbol::Equal)) {
        const Symbol first = argument->symbol;
        if (cur_ == argument + 1 && (first == Symbol::True || first == Symbol::False || first == Symbol::None)) {
          fail_at(inner_range(argument), "cannot assign to " + std::string(argument->text));
        }
        fail_at({argument->range.line, argument->range.col, cur_->range.end_line, cur_->range.end_col},
                "expression cannot contain assignment, perhaps you meant \"==\"?");
      }
      if (at_comprehension()) {
        height.add(*this);
        const List<Comprehension> generators = comprehension_clauses();
        height.add(*this);
        if (args.size() + keywords.size() > 0 || at(Symbol::Comma)) {
          fail_at(inner_range(argument), "Generator expression must be parenthesized");
        }
        expect(Symbol::RPar);
        set_height(height);
        ExprPtr const generator = make(open, GeneratorExp{value, generators});
        return {arena_.copy(&generator, 1), {}};
      }
      if (keywords.size() > 0 && (at(Symbol::Comma) || at(Symbol::RPar))) {
        fail_at(cur_->range, has_unpacking ? "positional argument follows keyword argument unpacking"
                                           : "positional argument follows keyword argument");
      }
      args.push(value);
    }
    height.add(*this);
    if (!accept(Symbol::Comma)) break;
  }
  expect(Symbol::RPar);
  height_ = height.value;
  return {args.finish(arena_), keywords.finish(arena_)};
}

// Parameters up to the closing token, which is not taken.
Arguments* Parser::parameters(Symbol closing, bool has_annotations) {
  ListBuilder args(args_);
  ListBuilder defaults(exprs_);
  ListBuilder kw_defaults(more_exprs_);
  Height height;
  Arguments result{};
  size_t posonly_count = 0;
  size_t positional_count = 0;
  const Token* star = nullptr;
  bool has_slash = false;

  const auto parameter = [&](bool is_vararg) -> Arg {
    const Token* const start = cur_;
    if (at(Symbol::LPar)) {
      fail_here(has_annotations ? "Function parameters cannot be parenthesized"
                                : "Lambda expression parameters cannot be parenthesized");
    }
    const Identifier name = expect_name();
    ExprPtr annotation = nullptr;
    if (has_annotations && accept(Symbol::Colon)) {
      height_ = 0;
      if (is_vararg && at(Symbol::Star)) {
        need_version(11);
        annotation = star_expression();
      } else {
        annotation = expression();
      }
      height.add(*this);
    }
    return {name, annotation, inner_range(start)};
  };
  const auto default_value = [&]() -> ExprPtr {
    if (!accept(Symbol::Equal)) return nullptr;
    if (at(Symbol::Comma) || at(closing)) fail_at(cur_[-1].range, "expected default value expression");
    ExprPtr const value = expression();
    height.add(*this);
    return value;
  };

  while (!at(closing)) {
    const Token* const start = cur_;
    if (result.kwarg) {
      fail_here("arguments cannot follow var-keyword argument");
    }
    if (accept(Symbol::Slash)) {
      if (has_slash) fail_at(start->range, "/ may appear only once");
      if (star) fail_at(start->range, "/ must be ahead of *");
      if (args.size() == 0) fail_at(start->range, "at least one argument must precede /");
      has_slash = true;
      posonly_count = args.size();
    } else if (accept(Symbol::Star)) {
      if (star) fail_at(start->range, "* argument may appear only once");
      star = start;
      positional_count = args.size();
      if (at(closing) || (at(Symbol::Comma) && (cur_[1].symbol == closing || cur_[1].symbol == Symbol::DoubleStar))) {
        fail_at(start->range, "named arguments must follow bare *");
      }
      if (!at(Symbol::Comma)) {
        result.vararg = arena_.make<Arg>(parameter(true));
        if (at(Symbol::Equal)) fail_here("var-positional argument cannot have default value");
      }
    } else if (accept(Symbol::DoubleStar)) {
      result.kwarg = arena_.make<Arg>(parameter(false));
      if (at(Symbol::Equal)) fail_here("var-keyword argument cannot have default value");
    } else {
      const Arg arg = parameter(false);
      ExprPtr const value = default_value();
      args.push(arg);
      if (star) {
        kw_defaults.push(value);
      } else if (value) {
        defaults.push(value);
      } else if (defaults.size() > 0) {
        fail_at(start->range, "parameter without a default follows parameter with a default");
      }
    }
    if (!accept(Symbol::Comma)) break;
  }
  if (!star) positional_count = args.size();
  const List<Arg> all = args.finish(arena_);
  result.posonlyargs = all.subspan(0, posonly_count);
  result.args = all.subspan(posonly_count, positional_count - posonly_count);
  result.kwonlyargs = all.subspan(positional_count);
  result.kw_defaults = kw_defaults.finish(arena_);
  result.defaults = defaults.finish(arena_);
  height_ = height.value;
  return arena_.make<Arguments>(result);
}

}  // namespace qd::syntax
