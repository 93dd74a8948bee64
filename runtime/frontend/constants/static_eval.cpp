// Compile-time evaluation of expressions: names, operators, subscripts.
#include "runtime/frontend/constants/evaluator.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

using syntax::overloaded;

std::string_view operator_function(syntax::Operator op) {
  using syntax::Operator;
  switch (op) {
    case Operator::Add: return "add";
    case Operator::Sub: return "sub";
    case Operator::Mult: return "mul";
    case Operator::MatMult: return "matmul";
    case Operator::Div: return "truediv";
    case Operator::Mod: return "mod";
    case Operator::Pow: return "pow";
    case Operator::LShift: return "lshift";
    case Operator::RShift: return "rshift";
    case Operator::BitOr: return "or_";
    case Operator::BitXor: return "xor";
    case Operator::BitAnd: return "and_";
    case Operator::FloorDiv: return "floordiv";
  }
  return {};
}

std::optional<Value> evaluate(const Expr& expr, StaticScope& scope, const Options& options) {
  return Evaluator(scope, options).value(expr);
}

std::optional<Value> Evaluator::value(const Expr& expr) {
  if (const Value* local = local_of(expr)) return *local;
  if (locals_.empty()) {
    if (auto known = scope_.known(expr)) return known;
  }
  return std::visit(overloaded{
                        [&](const syntax::Constant& e) { return evaluate_constant(e, expr.range, scope_); },
                        [&](const syntax::Name&) { return scope_.name(expr); },
                        [&](const syntax::Attribute& e) { return attribute(e, expr); },
                        [&](const syntax::Subscript& e) { return subscript(e, expr); },
                        [&](const syntax::BinOp& e) { return binop(e, expr); },
                        [&](const syntax::UnaryOp& e) { return unaryop(e, expr); },
                        [&](const syntax::BoolOp& e) { return boolop(e); },
                        [&](const syntax::Compare& e) { return comparison(e, expr); },
                        [&](const syntax::IfExp& e) { return ternary(e); },
                        [&](const syntax::Tuple& e) { return sequence(e.elts); },
                        [&](const syntax::ListExpr& e) { return sequence(e.elts, true); },
                        [&](const syntax::Call& e) { return call(e, expr); },
                        [&](const syntax::ListComp& e) { return comprehension(e.generators, *e.elt); },
                        [&](const syntax::GeneratorExp& e) { return comprehension(e.generators, *e.elt); },
                        [&](const syntax::Dict& e) { return dict(e); },
                        [&](const syntax::DictComp& e) { return dict_comprehension(e); },
                        [&](const syntax::JoinedStr& e) { return joined(e); },
                        [&](const auto&) -> std::optional<Value> {
                          return fail(ErrorKind::Syntax, expr.range,
                                      fmt::format("{} is not supported at compile time", node_name(expr)));
                        },
                    },
                    expr.node);
}

std::nullopt_t Evaluator::fail(ErrorKind kind, const Range& range, std::string message) {
  scope_.error(kind, range, std::move(message));
  return std::nullopt;
}

std::optional<Value> Evaluator::checked(Outcome outcome, const Range& range) {
  if (!outcome.value) return fail(ErrorKind::Type, range, std::move(outcome.error));
  return std::move(outcome.value);
}

std::optional<Value> Evaluator::attribute(const syntax::Attribute& e, const Expr& expr) {
  auto object = value(*e.value);
  if (!object) return std::nullopt;
  auto result = evaluate_attribute(*object, e.attr, expr.range, scope_);
  auto* host = std::get_if<HostObject>(&*object);
  if (host && result) scope_.has_read(*host, e.attr, *result, expr.range);
  return result;
}

Value Evaluator::listed(Value value) {
  auto* host = std::get_if<HostObject>(&value);
  if (!host) return value;
  scope_.identify(*host);
  auto items = listed_by_host(*host, scope_.environment());
  return items ? *std::move(items) : value;
}

std::optional<Value> Evaluator::index(const Expr& expr) {
  if (auto* part = std::get_if<syntax::Slice>(&expr.node)) {
    auto bound = [&](syntax::ExprPtr at) { return at ? value(*at) : std::optional<Value>(None{}); };
    auto lower = bound(part->lower), upper = bound(part->upper), step = bound(part->step);
    return lower && upper && step ? std::optional(slice_of(*lower, *upper, *step)) : std::nullopt;
  }
  auto* several = std::get_if<syntax::Tuple>(&expr.node);
  if (!several) return value(expr);
  Tuple list;
  for (const Expr* element : several->elts) {
    auto item = index(*element);
    if (!item) return std::nullopt;
    list.items.push_back(*std::move(item));
  }
  return Value(std::move(list));
}

std::optional<Value> Evaluator::subscript(const syntax::Subscript& e, const Expr& expr) {
  auto object = value(*e.value);
  if (!object) return std::nullopt;
  auto index = this->index(*e.slice);
  if (!index) return std::nullopt;
  if (std::holds_alternative<syntax::Slice>(e.slice->node) && !std::holds_alternative<HostObject>(*object)) {
    const std::vector<Value>& bounds = std::get<Tuple>(*index).items;
    return checked(slice(*object, bounds[1], bounds[2], bounds[3]), expr.range);
  }
  if (auto* builtin = std::get_if<Builtin>(&*object)) {
    auto* info = find_builtin(builtin->name);
    if (info && info->kind == BuiltinKind::View) return Value(Tuple{{*object, *index}});
    if (info && info->kind == BuiltinKind::ArrayAnnotation) {
      auto* parts = std::get_if<Tuple>(&*index);
      return evaluate_call(*object, parts ? parts->items : std::vector<Value>{*index}, expr.range, scope_, options_);
    }
  }
  if (auto* host = std::get_if<HostObject>(&*object)) {
    scope_.identify(*host);
    if (auto item = scope_.environment().subscript(*host, *index)) return item;
    return fail(ErrorKind::Type, expr.range, fmt::format("{} cannot be indexed in kernels", describe(*object)));
  }
  if (std::holds_alternative<HostObject>(*index) && is_known_container(*object))  // an object of class slice
    return checked(call_host({*object, "__getitem__", {*index}, {}}, scope_), expr.range);
  return checked(frontend::subscript(*object, *index), expr.range);
}

std::optional<Value> Evaluator::binop(const syntax::BinOp& e, const Expr& expr) {
  auto left = value(*e.left);
  auto right = value(*e.right);
  if (!left || !right) return std::nullopt;
  auto outcome = operator_of_host(operator_function(e.op), {*left, *right}, scope_);
  if (!outcome) outcome = binary(e.op, *left, *right);
  if (!outcome->value && std::holds_alternative<std::string>(*left) && e.op == syntax::Operator::Mod) {
    Outcome text = call_host({*left, "__mod__", {*right}, {}}, scope_);
    if (text.value || text.is_impossible) outcome = std::move(text);
  }
  return checked(*std::move(outcome), expr.range);
}

std::optional<Value> Evaluator::unaryop(const syntax::UnaryOp& e, const Expr& expr) {
  auto operand = value(*e.operand);
  if (!operand) return std::nullopt;
  if (e.op == syntax::UnaryOperator::Not) {
    const auto known = known_truth(*operand, expr.range, scope_);
    return known ? std::optional(Value(!*known)) : std::nullopt;
  }
  const std::string_view name = e.op == syntax::UnaryOperator::USub   ? "neg"
                                : e.op == syntax::UnaryOperator::UAdd ? "pos"
                                                                      : "invert";
  auto outcome = operator_of_host(name, {*operand}, scope_);
  return checked(outcome ? *std::move(outcome) : unary(e.op, *operand), expr.range);
}

std::optional<Value> Evaluator::boolop(const syntax::BoolOp& e) {
  std::optional<Value> result;
  for (const Expr* part : e.values) {
    result = value(*part);
    if (!result || part == e.values.back()) return result;
    const auto known = known_truth(*result, part->range, scope_);
    if (!known) return std::nullopt;
    if (*known != (e.op == syntax::BoolOperator::And)) return result;
  }
  return result;
}

std::optional<Value> Evaluator::comparison(const syntax::Compare& e, const Expr& expr) {
  auto left = value(*e.left);
  for (size_t i = 0; i < e.ops.size() && left; ++i) {
    auto right = value(*e.comparators[i]);
    if (!right) return std::nullopt;
    for (const Value* side : {&*left, &*right}) {
      if (auto* host = std::get_if<HostObject>(side)) scope_.identify(*host);
    }
    auto outcome = compare_on_host(e.ops[i], *left, *right, scope_);
    auto result = checked(outcome ? *std::move(outcome) : compare(e.ops[i], *left, *right), expr.range);
    if (!result || i + 1 == e.ops.size()) return result;
    const auto known = known_truth(*result, expr.range, scope_);
    if (!known) return std::nullopt;
    if (!*known) return result;
    left = std::move(right);
  }
  return std::nullopt;
}

std::optional<Value> Evaluator::ternary(const syntax::IfExp& e) {
  auto test = value(*e.test);
  if (!test) return std::nullopt;
  const auto known = known_truth(*test, e.test->range, scope_);
  return known ? value(*known ? *e.body : *e.orelse) : std::nullopt;
}

}  // namespace qd::frontend
