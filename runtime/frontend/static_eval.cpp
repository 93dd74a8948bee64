// Compile-time evaluation of expressions.
#include "runtime/frontend/static_eval.h"

#include <fmt/format.h>

#include "runtime/frontend/builtins.h"
#include "runtime/frontend/compound_types.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {
namespace {

using syntax::Expr;
using syntax::overloaded;
using syntax::Range;

class Evaluator {
 public:
  Evaluator(StaticScope& scope, const Options& options) : scope_(scope), options_(options) {}

  std::optional<Value> value(const Expr& expr) {
    if (auto known = scope_.known(expr)) return known;
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
                          [&](const syntax::ListExpr& e) { return sequence(e.elts); },
                          [&](const syntax::Call& e) { return call(e, expr); },
                          [&](const auto&) -> std::optional<Value> {
                            return fail(ErrorKind::Syntax, expr.range,
                                        fmt::format("{} is not supported at compile time", node_name(expr)));
                          },
                      },
                      expr.node);
  }

 private:
  std::nullopt_t fail(ErrorKind kind, const Range& range, std::string message) {
    scope_.error(kind, range, std::move(message));
    return std::nullopt;
  }

  std::optional<Value> checked(Outcome outcome, const Range& range) {
    if (!outcome.value) return fail(ErrorKind::Type, range, std::move(outcome.error));
    return std::move(outcome.value);
  }

  std::optional<Value> attribute(const syntax::Attribute& e, const Expr& expr) {
    auto object = value(*e.value);
    if (!object) return std::nullopt;
    return evaluate_attribute(*object, e.attr, expr.range, scope_);
  }

  std::optional<Value> subscript(const syntax::Subscript& e, const Expr& expr) {
    auto object = value(*e.value);
    if (!object) return std::nullopt;
    auto index = value(*e.slice);
    if (!index) return std::nullopt;
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
      return fail(ErrorKind::Type, expr.range, fmt::format("{} cannot be indexed like this at compile time", describe(*object)));
    }
    return checked(frontend::subscript(*object, *index), expr.range);
  }

  std::optional<Value> binop(const syntax::BinOp& e, const Expr& expr) {
    auto left = value(*e.left);
    auto right = value(*e.right);
    if (!left || !right) return std::nullopt;
    return checked(binary(e.op, *left, *right), expr.range);
  }

  std::optional<Value> unaryop(const syntax::UnaryOp& e, const Expr& expr) {
    auto operand = value(*e.operand);
    if (!operand) return std::nullopt;
    return checked(unary(e.op, *operand), expr.range);
  }

  std::optional<Value> boolop(const syntax::BoolOp& e) {
    std::optional<Value> result;
    for (const Expr* part : e.values) {
      result = value(*part);
      if (!result) return std::nullopt;
      if (truth(*result) != (e.op == syntax::BoolOperator::And)) return result;
    }
    return result;
  }

  std::optional<Value> comparison(const syntax::Compare& e, const Expr& expr) {
    auto left = value(*e.left);
    for (size_t i = 0; i < e.ops.size() && left; ++i) {
      auto right = value(*e.comparators[i]);
      if (!right) return std::nullopt;
      for (const Value* side : {&*left, &*right}) {
        if (auto* host = std::get_if<HostObject>(side)) scope_.identify(*host);
      }
      auto result = checked(compare(e.ops[i], *left, *right), expr.range);
      if (!result || !truth(*result) || i + 1 == e.ops.size()) return result;
      left = std::move(right);
    }
    return std::nullopt;
  }

  std::optional<Value> ternary(const syntax::IfExp& e) {
    auto test = value(*e.test);
    if (!test) return std::nullopt;
    return value(truth(*test) ? *e.body : *e.orelse);
  }

  std::optional<Value> sequence(syntax::List<syntax::ExprPtr> elements) {
    Tuple tuple;
    for (const Expr* element : elements) {
      if (auto* starred = std::get_if<syntax::Starred>(&element->node)) {
        auto inner = value(*starred->value);
        if (!inner) return std::nullopt;
        auto* items = std::get_if<Tuple>(&*inner);
        if (!items) return fail(ErrorKind::Type, element->range, fmt::format("{} cannot be unpacked", describe(*inner)));
        tuple.items.insert(tuple.items.end(), items->items.begin(), items->items.end());
        continue;
      }
      auto item = value(*element);
      if (!item) return std::nullopt;
      tuple.items.push_back(std::move(*item));
    }
    return Value(std::move(tuple));
  }

  std::optional<Value> call(const syntax::Call& e, const Expr& expr) {
    auto callee = value(*e.func);
    if (!callee) return std::nullopt;
    auto arguments = sequence(e.args);
    if (!arguments) return std::nullopt;
    std::vector<Value> list = std::get<Tuple>(*arguments).items;
    auto* builtin = std::get_if<Builtin>(&*callee);
    auto* info = builtin ? find_builtin(builtin->name) : nullptr;
    std::vector<std::pair<std::string, Value>> named;
    for (const syntax::Keyword& keyword : e.keywords) {
      auto argument = value(*keyword.value);
      if (!argument) return std::nullopt;
      if (info && info->kind == BuiltinKind::CompoundTypeMaker) {
        named.emplace_back(keyword.arg, std::move(*argument));
        continue;
      }
      if (info && info->kind == BuiltinKind::ArrayAnnotation && (keyword.arg == "dtype" || keyword.arg == "ndim" || keyword.arg == "needs_grad")) {
        size_t position = keyword.arg == "dtype" ? 0 : keyword.arg == "ndim" ? 1 : 2;
        if (list.size() <= position) list.resize(position + 1, Value(None{}));
        list[position] = std::move(*argument);
        continue;
      }
      return fail(ErrorKind::Syntax, keyword.range, fmt::format("the keyword argument `{}` is not supported here", keyword.arg));
    }
    if (!named.empty()) return checked(compound_type(info->name.substr(6), list, named, options_), expr.range);
    return evaluate_call(*callee, list, expr.range, scope_, options_);
  }

  StaticScope& scope_;
  const Options& options_;
};

}  // namespace

std::optional<Value> evaluate(const Expr& expr, StaticScope& scope, const Options& options) {
  return Evaluator(scope, options).value(expr);
}

std::optional<Value> evaluate_constant(const syntax::Constant& constant, const Range& range, StaticScope& scope) {
  switch (constant.kind) {
    case syntax::ConstantKind::None: return Value(None{});
    case syntax::ConstantKind::True: return Value(true);
    case syntax::ConstantKind::False: return Value(false);
    case syntax::ConstantKind::Float: return Value(syntax::float_value(constant));
    case syntax::ConstantKind::Str: return Value(std::string(constant.text));
    case syntax::ConstantKind::Int:
      if (auto value = syntax::int_value(constant)) return Value(*value);
      scope.error(ErrorKind::Type, range, fmt::format("the integer {} does not fit i64 (qd.u64(...) takes up to 64 bits)", constant.text));
      return std::nullopt;
    case syntax::ConstantKind::Complex:
      scope.error(ErrorKind::Type, range, "complex numbers are not supported in kernels");
      return std::nullopt;
    case syntax::ConstantKind::Bytes:
      scope.error(ErrorKind::Type, range, "bytes are not supported in kernels");
      return std::nullopt;
    case syntax::ConstantKind::Ellipsis:
      scope.error(ErrorKind::Type, range, "`...` is not supported in kernels");
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Value> evaluate_attribute(const Value& object, std::string_view name, const Range& range, StaticScope& scope) {
  std::optional<Value> result;
  if (auto* host = std::get_if<HostObject>(&object)) {
    result = scope.attribute(*host, name);
  } else if (auto* builtin = std::get_if<Builtin>(&object)) {
    result = language_value(builtin->name + "." + std::string(name));
  } else if (auto* field = std::get_if<Field>(&object)) {
    if (name == "shape") {
      Tuple shape;
      for (int32_t extent : field->shape) shape.items.emplace_back(int64_t{extent});
      result = Value(std::move(shape));
    } else if (name == "dtype") {
      result = Value(field->type);
    } else if (name == "ndim") {
      result = Value(static_cast<int64_t>(field->shape.size()));
    } else if (name == "grad" && field->grad) {
      result = Value(*field->grad);
    } else if (name == "grad") {
      scope.error(ErrorKind::Name, range, fmt::format("{} has no gradient: make it with needs_grad=True, or place its .grad", describe(object)));
      return std::nullopt;
    } else if (field->element_shape.size() > 0 && (name == "n" || name == "m")) {
      result = Value(int64_t{name == "n" ? field->element_shape[0] : field->element_shape.size() == 2 ? field->element_shape[1] : 1});
    }
  } else if (auto* known = std::get_if<ConstantStruct>(&object)) {
    if (auto index = known->type->index(name)) result = known->members[*index];
  } else if (auto* tensor = std::get_if<ConstantTensor>(&object)) {
    if (name == "n") result = Value(int64_t{tensor->shape[0]});
    if (name == "m") result = Value(int64_t{tensor->shape.size() == 2 ? tensor->shape[1] : 1});
  } else if (auto* type = std::get_if<CompoundType>(&object); type && !type->structure) {
    if (name == "n") result = Value(int64_t{type->shape[0]});
    if (name == "m") result = Value(int64_t{type->shape.size() == 2 ? type->shape[1] : 1});
  }
  if (auto* array = std::get_if<HostArray>(&object)) {
    if (name == "dtype") result = Value(array->type.type);
    if (name == "ndim") result = Value(int64_t{array->type.rank});
    if (name == "shape") result = Value(Tuple{std::vector<Value>(static_cast<size_t>(array->type.rank), runtime_size())});
  }
  if (!result) scope.error(ErrorKind::Name, range, fmt::format("{} has no attribute `{}` in kernels", describe(object), name));
  return result;
}

Value runtime_size() { return HostObject{0, "a size that is known only at run time"}; }

std::optional<ir::Type> dtype_of(const Value& value, const Options& options) {
  if (auto* type = std::get_if<ir::Type>(&value)) return *type;
  if (auto* builtin = std::get_if<Builtin>(&value)) {
    if (builtin->name == "int") return options.default_int;
    if (builtin->name == "float") return options.default_float;
    if (builtin->name == "bool") return ir::Type::U1;
  }
  return std::nullopt;
}

}  // namespace qd::frontend
