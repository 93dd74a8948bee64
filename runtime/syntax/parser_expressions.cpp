// Parses expressions of operators, with one table of precedences and one loop.
#include <array>

#include "runtime/syntax/parser.h"

namespace qd::syntax {
namespace {

// Precedences, loosest first.
constexpr int kOr = 1;
constexpr int kAnd = 2;
constexpr int kNot = 3;
constexpr int kCompare = 4;
constexpr int kUnary = 11;
constexpr int kPower = 12;

struct InfixRow {
  uint8_t precedence = 0;  // 0: no infix operator
  Operator op = Operator::Add;
};

constexpr std::array<InfixRow, 256> make_infix_table() {
  std::array<InfixRow, 256> table{};
  const auto set = [&](Symbol symbol, int precedence, Operator op = Operator::Add) {
    table[static_cast<size_t>(symbol)] = {static_cast<uint8_t>(precedence), op};
  };
  set(Symbol::Or, kOr);
  set(Symbol::And, kAnd);
  for (const Symbol symbol : {Symbol::EqEqual, Symbol::NotEqual, Symbol::Less, Symbol::LessEqual, Symbol::Greater,
                              Symbol::GreaterEqual, Symbol::Is, Symbol::In, Symbol::Not}) {
    set(symbol, kCompare);
  }
  set(Symbol::VBar, 5, Operator::BitOr);
  set(Symbol::Circumflex, 6, Operator::BitXor);
  set(Symbol::Amper, 7, Operator::BitAnd);
  set(Symbol::LeftShift, 8, Operator::LShift);
  set(Symbol::RightShift, 8, Operator::RShift);
  set(Symbol::Plus, 9, Operator::Add);
  set(Symbol::Minus, 9, Operator::Sub);
  set(Symbol::Star, 10, Operator::Mult);
  set(Symbol::Slash, 10, Operator::Div);
  set(Symbol::DoubleSlash, 10, Operator::FloorDiv);
  set(Symbol::Percent, 10, Operator::Mod);
  set(Symbol::At, 10, Operator::MatMult);
  set(Symbol::DoubleStar, kPower, Operator::Pow);
  return table;
}

constexpr std::array<InfixRow, 256> kInfix = make_infix_table();

}  // namespace

Expr* Parser::star_expressions() {
  const Token* const start = cur_;
  Expr* const first = star_expression();
  return at(Symbol::Comma) ? tuple_rest(start, first, &Parser::star_expression) : first;
}

Expr* Parser::star_expression() {
  if (!at(Symbol::Star)) return expression();
  const Token* const start = advance();
  Expr* const value = operators(kBitOr);
  set_height({height_});
  return make(start, Starred{value, ExprContext::Load});
}

Expr* Parser::star_named_expression() { return at(Symbol::Star) ? star_expression() : named_expression(); }

// Parses the elements of a tuple without parentheses, after its first; a trailing comma belongs to it.
Expr* Parser::tuple_rest(const Token* start, Expr* first, Expr* (Parser::*element)()) {
  ListBuilder elements(exprs_);
  Height height{height_};
  elements.push(first);
  while (accept(Symbol::Comma)) {
    if (!starts_expression() && !at(Symbol::Star)) break;
    elements.push((this->*element)());
    height.add(*this);
  }
  set_height(height);
  return make(start, Tuple{elements.finish(arena_), ExprContext::Load});
}

Expr* Parser::named_expression() {
  if (at_walrus()) {
    const Token* const start = cur_;
    advance();
    Expr* const target = make(start, Name{start->text, ExprContext::Store});
    advance();
    Expr* const value = expression();
    set_height({height_});
    return make(start, NamedExpr{target, value});
  }
  const Token* const start = cur_;
  Expr* const value = expression();
  if (at(Symbol::ColonEqual)) {
    fail_at(inner_range(start), std::string("cannot use assignment expressions with ") + expression_name(value));
  }
  return value;
}

Expr* Parser::expression() {
  if (at(Symbol::Lambda)) return lambda();
  const Token* const start = cur_;
  Expr* const body = disjunction();
  if (!at(Symbol::If)) {
    last_expression_ = {start, cur_, body};
    return body;
  }
  const Nesting nesting(*this);
  Height height{height_};
  advance();
  Expr* const test = disjunction();
  height.add(*this);
  if (!accept(Symbol::Else)) {
    if (at(Symbol::Colon)) fail();
    fail_at(inner_range(start), "expected 'else' after 'if' expression");
  }
  Expr* const orelse = expression();
  height.add(*this);
  set_height(height);
  return make(start, IfExp{test, body, orelse});
}

Expr* Parser::yield_expression() {
  const Token* const start = advance();
  if (accept(Symbol::From)) {
    Expr* const value = expression();
    set_height({height_});
    return make(start, YieldFrom{value});
  }
  height_ = 0;
  Expr* const value = starts_expression() || at(Symbol::Star) ? star_expressions() : nullptr;
  set_height({height_});
  return make(start, Yield{value});
}

// Parses an expression of operators that bind at least as tightly as `lowest`.
Expr* Parser::operators(int lowest) {
  const Token* const start = cur_;
  Expr* left = prefixed(lowest);
  for (;;) {
    const InfixRow infix = kInfix[static_cast<size_t>(symbol())];
    if (infix.precedence < lowest || infix.precedence == 0) return left;
    if (infix.precedence <= kCompare) {
      if (infix.precedence == kCompare) {
        if (at(Symbol::Not) && !next_is(Symbol::In)) return left;
        left = comparison(start, left);
      } else {
        left = bool_operation(start, left, infix.precedence == kOr ? BoolOperator::Or : BoolOperator::And);
      }
      continue;
    }
    Height height{height_};
    advance();
    Expr* right;
    if (infix.precedence == kPower) {
      const Nesting nesting(*this);
      right = operators(kUnary);
    } else {
      right = operators(infix.precedence + 1);
    }
    height.add(*this);
    set_height(height);
    left = make(start, BinOp{left, infix.op, right});
  }
}

// Parses an operand with its prefix operators, among operators of precedence `lowest` and tighter.
Expr* Parser::prefixed(int lowest) {
  UnaryOperator op;
  int operand = kUnary;
  switch (symbol()) {
    case Symbol::Plus: op = UnaryOperator::UAdd; break;
    case Symbol::Minus: op = UnaryOperator::USub; break;
    case Symbol::Tilde: op = UnaryOperator::Invert; break;
    case Symbol::Not:
      op = UnaryOperator::Not;
      operand = kNot;
      if (lowest > kNot) fail();
      break;
    default: return primary();
  }
  const Nesting nesting(*this);
  const Token* const start = advance();
  Expr* const value = operators(operand);
  set_height({height_});
  return make(start, UnaryOp{op, value});
}

Expr* Parser::bool_operation(const Token* start, Expr* left, BoolOperator op) {
  const Symbol word = symbol();
  const int precedence = op == BoolOperator::Or ? kOr : kAnd;
  ListBuilder values(exprs_);
  Height height{height_};
  values.push(left);
  while (accept(word)) {
    values.push(operators(precedence + 1));
    height.add(*this);
  }
  set_height(height);
  return make(start, BoolOp{op, values.finish(arena_)});
}

Expr* Parser::comparison(const Token* start, Expr* left) {
  ListBuilder ops(cmp_operators_);
  ListBuilder comparators(exprs_);
  Height height{height_};
  for (;;) {
    CmpOperator op;
    switch (symbol()) {
      case Symbol::EqEqual: op = CmpOperator::Eq; break;
      case Symbol::NotEqual:
        if (cur_->text == "<>") fail();
        op = CmpOperator::NotEq;
        break;
      case Symbol::Less: op = CmpOperator::Lt; break;
      case Symbol::LessEqual: op = CmpOperator::LtE; break;
      case Symbol::Greater: op = CmpOperator::Gt; break;
      case Symbol::GreaterEqual: op = CmpOperator::GtE; break;
      case Symbol::In: op = CmpOperator::In; break;
      case Symbol::Is: op = next_is(Symbol::Not) ? CmpOperator::IsNot : CmpOperator::Is; break;
      case Symbol::Not:
        if (next_is(Symbol::In)) {
          op = CmpOperator::NotIn;
          break;
        }
        [[fallthrough]];
      default: set_height(height); return make(start, Compare{left, ops.finish(arena_), comparators.finish(arena_)});
    }
    cur_ += op == CmpOperator::IsNot || op == CmpOperator::NotIn ? 2 : 1;
    ops.push(op);
    comparators.push(operators(kBitOr));
    height.add(*this);
  }
}

Expr* Parser::lambda() {
  const Nesting nesting(*this);
  const Token* const start = advance();
  height_ = 0;
  Arguments* const args = parameters(Symbol::Colon, false);
  Height height{height_};
  expect(Symbol::Colon);
  Expr* const body = expression();
  height.add(*this);
  set_height(height);
  return make(start, Lambda{args, body});
}

bool Parser::starts_expression() const {
  switch (symbol()) {
    case Symbol::Name:
    case Symbol::Number:
    case Symbol::String:
    case Symbol::FStringStart:
    case Symbol::False:
    case Symbol::None:
    case Symbol::True:
    case Symbol::Await:
    case Symbol::Lambda:
    case Symbol::Not:
    case Symbol::LPar:
    case Symbol::LSqb:
    case Symbol::LBrace:
    case Symbol::Ellipsis:
    case Symbol::Plus:
    case Symbol::Minus:
    case Symbol::Tilde: return true;
    default: return false;
  }
}

}  // namespace qd::syntax
