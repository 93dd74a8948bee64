// Constant folding. It keeps only as much of a value as decides its truth.
#include "report/analysis/source/constants.h"

#include <algorithm>
#include <cmath>

#include "runtime/syntax/parse.h"

namespace qd::report {

using namespace syntax;

namespace {

constexpr int kMaxDepth = 200;  // deeper expressions are taken as not constant

/// A folded constant: an integer, a real number, a sequence (of which only the length counts) or something else of
/// known truth.
struct Value {
  enum Kind { kInt, kReal, kText, kBytes, kTuple, kOther } kind = kOther;
  bool truth = false;
  int64_t integer = 0;
  double real = 0;
  size_t length = 0;

  static Value of_int(int64_t v) { return {kInt, v != 0, v, static_cast<double>(v), 0}; }
  static Value of_real(double v) { return {kReal, v != 0, 0, v, 0}; }
  static Value of_sequence(Kind kind, size_t length) { return {kind, length != 0, 0, 0, length}; }
  static Value of_truth(bool truth) { return {kOther, truth, 0, 0, 0}; }
  bool is_number() const { return kind == kInt || kind == kReal; }
  bool is_sequence() const { return kind == kText || kind == kBytes || kind == kTuple; }
};

using Folded = std::optional<Value>;

bool has_nonzero_digit(std::string_view number) {
  size_t start = number.size() > 1 && number[0] == '0' && std::isalpha(static_cast<unsigned char>(number[1])) ? 2 : 0;
  return std::any_of(number.begin() + static_cast<std::ptrdiff_t>(start), number.end(),
                     [](char c) { return c != '0' && c != '_'; });
}

Value constant_value(const Constant& constant) {
  switch (constant.kind) {
    case ConstantKind::None: return Value::of_truth(false);
    case ConstantKind::True: return Value::of_int(1);
    case ConstantKind::False: return Value::of_int(0);
    case ConstantKind::Ellipsis: return Value::of_truth(true);
    case ConstantKind::Int:
      if (std::optional<int64_t> value = int_value(constant)) return Value::of_int(*value);
      return Value::of_truth(has_nonzero_digit(constant.text));
    case ConstantKind::Float: return Value::of_real(float_value(constant));
    case ConstantKind::Complex: {
      std::string digits(constant.text.substr(0, constant.text.size() - 1));
      std::erase(digits, '_');
      return Value::of_truth(syntax::decimal_value(digits) != 0);
    }
    case ConstantKind::Str: return Value::of_sequence(Value::kText, constant.text.size());
    case ConstantKind::Bytes: return Value::of_sequence(Value::kBytes, constant.text.size());
  }
  return Value::of_truth(true);
}

Folded fold_integers(int64_t a, Operator op, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case Operator::Add: return __builtin_add_overflow(a, b, &result) ? Value::of_truth(true) : Value::of_int(result);
    case Operator::Sub: return __builtin_sub_overflow(a, b, &result) ? Value::of_truth(true) : Value::of_int(result);
    case Operator::Mult: return __builtin_mul_overflow(a, b, &result) ? Value::of_truth(true) : Value::of_int(result);
    case Operator::Div:
      if (b == 0) return std::nullopt;
      return Value::of_real(static_cast<double>(a) / static_cast<double>(b));
    case Operator::FloorDiv:
    case Operator::Mod: {
      if (b == 0) return std::nullopt;
      if (b == -1) return op == Operator::Mod ? Value::of_int(0) : fold_integers(0, Operator::Sub, a);
      int64_t quotient = a / b, rest = a % b;
      if (rest != 0 && (rest < 0) != (b < 0)) --quotient, rest += b;
      return Value::of_int(op == Operator::Mod ? rest : quotient);
    }
    case Operator::Pow:
      if (b < 0) return a == 0 ? Folded() : Value::of_real(std::pow(static_cast<double>(a), static_cast<double>(b)));
      return Value::of_truth(a != 0 || b == 0);
    case Operator::LShift:
      if (b < 0) return std::nullopt;
      return Value::of_truth(a != 0);
    case Operator::RShift:
      if (b < 0) return std::nullopt;
      return Value::of_int(a >> std::min<int64_t>(b, 63));
    case Operator::BitOr: return Value::of_int(a | b);
    case Operator::BitXor: return Value::of_int(a ^ b);
    case Operator::BitAnd: return Value::of_int(a & b);
    case Operator::MatMult: return std::nullopt;
  }
  return std::nullopt;
}

Folded fold_reals(double a, Operator op, double b) {
  switch (op) {
    case Operator::Add: return Value::of_real(a + b);
    case Operator::Sub: return Value::of_real(a - b);
    case Operator::Mult: return Value::of_real(a * b);
    case Operator::Div: return b == 0 ? Folded() : Value::of_real(a / b);
    case Operator::FloorDiv: return b == 0 ? Folded() : Value::of_real(std::floor(a / b));
    case Operator::Mod: return b == 0 ? Folded() : Value::of_real(std::fmod(a, b));
    case Operator::Pow: return a == 0 && b < 0 ? Folded() : Value::of_real(std::pow(a, b));
    default: return std::nullopt;
  }
}

Folded fold_binary(const Value& a, Operator op, const Value& b) {
  if (a.kind == Value::kInt && b.kind == Value::kInt) return fold_integers(a.integer, op, b.integer);
  if (a.is_number() && b.is_number()) return fold_reals(a.real, op, b.real);
  if (a.is_sequence() && a.kind == b.kind && op == Operator::Add)
    return Value::of_sequence(a.kind, a.length + b.length);
  if (op == Operator::Mult && (a.is_sequence() || b.is_sequence())) {
    const Value& sequence = a.is_sequence() ? a : b;
    const Value& times = a.is_sequence() ? b : a;
    if (times.kind == Value::kInt)
      return Value::of_sequence(sequence.kind,
                                times.integer > 0 ? sequence.length * static_cast<size_t>(times.integer) : 0);
  }
  return std::nullopt;
}

Folded fold_unary(UnaryOperator op, const Value& value) {
  switch (op) {
    case UnaryOperator::Not: return Value::of_int(!value.truth);
    case UnaryOperator::UAdd: return value.is_number() ? Folded(value) : std::nullopt;
    case UnaryOperator::USub:
      if (value.kind == Value::kInt) return fold_integers(0, Operator::Sub, value.integer);
      return value.kind == Value::kReal ? Folded(Value::of_real(-value.real)) : std::nullopt;
    case UnaryOperator::Invert: return value.kind == Value::kInt ? Folded(Value::of_int(~value.integer)) : std::nullopt;
  }
  return std::nullopt;
}

Folded fold(const Expr& expr, int python_minor, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  auto folded = [&](ExprPtr child) { return fold(*child, python_minor, depth + 1); };
  if (auto* constant = std::get_if<Constant>(&expr.node)) return constant_value(*constant);
  if (auto* name = std::get_if<Name>(&expr.node))
    return name->id == "__debug__" ? Folded(Value::of_int(1)) : std::nullopt;
  // Since 3.14 the compiler folds operators and tuples only after it has decided reachability.
  const bool folds_early = python_minor < 14;
  if (auto* unary = std::get_if<UnaryOp>(&expr.node)) {
    Folded operand = folds_early || unary->op == UnaryOperator::Not ? folded(unary->operand) : std::nullopt;
    return operand ? fold_unary(unary->op, *operand) : std::nullopt;
  }
  if (auto* binary = std::get_if<BinOp>(&expr.node); binary && folds_early) {
    Folded left = folded(binary->left);
    Folded right = left ? folded(binary->right) : std::nullopt;
    return right ? fold_binary(*left, binary->op, *right) : std::nullopt;
  }
  if (auto* tuple = std::get_if<Tuple>(&expr.node); tuple && folds_early) {
    if (tuple->ctx != ExprContext::Load) return std::nullopt;
    for (ExprPtr element : tuple->elts)
      if (!folded(element)) return std::nullopt;
    return Value::of_sequence(Value::kTuple, tuple->elts.size());
  }
  if (auto* joined = std::get_if<JoinedStr>(&expr.node)) {
    if (joined->values.empty() && python_minor < 13) return std::nullopt;
    size_t length = 0;
    for (ExprPtr part : joined->values) {
      auto* constant = std::get_if<Constant>(&part->node);
      if (!constant) return std::nullopt;
      length += constant->text.size();
    }
    return Value::of_sequence(Value::kText, length);
  }
  return std::nullopt;
}

Outcomes outcomes(const Expr& test, int python_minor, int depth) {
  if (depth > kMaxDepth) return {};
  auto of = [&](ExprPtr child) { return outcomes(*child, python_minor, depth + 1); };
  if (Folded value = fold(test, python_minor, depth)) return {value->truth, !value->truth};
  if (auto* unary = std::get_if<UnaryOp>(&test.node); unary && unary->op == UnaryOperator::Not) {
    Outcomes operand = of(unary->operand);
    return {operand.can_be_false, operand.can_be_true};
  }
  if (auto* boolean = std::get_if<BoolOp>(&test.node)) {
    bool is_and = boolean->op == BoolOperator::And;
    bool short_cut = false, reaches_end = true;  // short cut: false for `and`, true for `or`
    for (ExprPtr part : boolean->values) {
      Outcomes outcome = of(part);
      short_cut = short_cut || (is_and ? outcome.can_be_false : outcome.can_be_true);
      if (!(is_and ? outcome.can_be_true : outcome.can_be_false)) {
        reaches_end = false;
        break;
      }
    }
    return is_and ? Outcomes{reaches_end, short_cut} : Outcomes{short_cut, reaches_end};
  }
  if (auto* conditional = std::get_if<IfExp>(&test.node)) {
    Outcomes result{false, false}, condition = of(conditional->test);
    for (ExprPtr arm :
         {condition.can_be_true ? conditional->body : nullptr, condition.can_be_false ? conditional->orelse : nullptr})
      if (arm) {
        Outcomes outcome = of(arm);
        result = {result.can_be_true || outcome.can_be_true, result.can_be_false || outcome.can_be_false};
      }
    return result;
  }
  return {};
}

std::optional<bool> constant_test_at(const Expr& test, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  if (auto* constant = std::get_if<Constant>(&test.node)) return constant_value(*constant).truth;
  if (auto* name = std::get_if<Name>(&test.node)) return name->id == "__debug__" ? std::optional(true) : std::nullopt;
  if (auto* unary = std::get_if<UnaryOp>(&test.node); unary && unary->op == UnaryOperator::Not) {
    std::optional<bool> operand = constant_test_at(*unary->operand, depth + 1);
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  if (auto* boolean = std::get_if<BoolOp>(&test.node)) {
    bool any = false, all = true;
    for (ExprPtr part : boolean->values) {
      std::optional<bool> truth = constant_test_at(*part, depth + 1);
      if (!truth) return std::nullopt;
      any = any || *truth;
      all = all && *truth;
    }
    return boolean->op == BoolOperator::Or ? any : all;
  }
  return std::nullopt;
}

}  // namespace

Outcomes compiled_outcomes(const Expr& test, int python_minor) { return outcomes(test, python_minor, 0); }

std::optional<bool> constant_test(const Expr& test) { return constant_test_at(test, 0); }

bool is_string_constant(const Expr& expr) {
  auto* constant = std::get_if<Constant>(&expr.node);
  return constant && constant->kind == ConstantKind::Str;
}

}  // namespace qd::report
