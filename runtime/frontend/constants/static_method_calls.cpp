// Calls as they are written in an expression at compile time: methods, keyword arguments.
#include "runtime/frontend/constants/evaluator.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/constant_tensors.h"
#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

using syntax::Expr;

std::optional<Value> Evaluator::named_attribute(const std::vector<Value>& arguments, const Expr& expr) {
  auto* name = arguments.size() > 1 ? std::get_if<std::string>(&arguments[1]) : nullptr;
  if (!name || arguments.size() > 3)
    return fail(ErrorKind::Type, expr.range,
                "`getattr` takes an object, the name of an attribute as a string, and a default if there is one");
  auto* host = host_object_of(arguments[0]);
  if (host && arguments.size() == 3) {
    auto found = scope_.attribute(*host, *name);
    if (!found) return arguments[2];
    scope_.has_read(*host, *name, *found, expr.range);
    return found;
  }
  auto result = evaluate_attribute(arguments[0], *name, expr.range, scope_);
  if (host && result) scope_.has_read(*host, *name, *result, expr.range);
  return result;
}

std::optional<std::optional<Value>> Evaluator::method(const syntax::Call& e, const Expr& expr) {
  auto* attribute = std::get_if<syntax::Attribute>(&e.func->node);
  if (!attribute) return std::nullopt;
  const bool constant = std::holds_alternative<syntax::Constant>(attribute->value->node);
  if (auto called = e.keywords.empty() ? tensor_call(e, *attribute, expr) : std::nullopt) return called;
  if (!constant && !is_method_of_known(attribute->attr)) return std::nullopt;
  auto object = value(*attribute->value);
  if (!object) return std::optional<Value>();
  if (!is_known_container(*object)) return std::nullopt;
  auto arguments = sequence(e.args);
  if (!arguments) return std::optional<Value>();
  std::vector<Value>& list = std::get<Tuple>(*arguments).items;
  NamedValues named;
  for (const syntax::Keyword& keyword : e.keywords) {
    auto argument = value(*keyword.value);
    if (!argument) return std::optional<Value>();
    named.emplace_back(keyword.arg, std::move(*argument));
  }
  auto* tuple = std::get_if<Tuple>(&*object);
  const bool by_host = tuple && tuple->named && attribute->attr.starts_with('_');
  Outcome outcome =
      by_host ? call_host({*object, std::string(attribute->attr), list, named}, scope_) : Outcome::failed("");
  if (by_host) return checked(std::move(outcome), expr.range);
  if (named.empty()) outcome = call_method(*object, attribute->attr, list);
  // A text does not change; Python knows all of its methods.
  if (!outcome.value && std::holds_alternative<std::string>(*object)) {
    Outcome asked = call_host({*object, std::string(attribute->attr), std::move(list), std::move(named)}, scope_);
    if (asked.value || asked.is_impossible || outcome.error.empty()) outcome = std::move(asked);
  }
  if (!outcome.value && outcome.error.empty()) {
    outcome = Outcome::failed(fmt::format("the method `{}` of {} takes no keyword arguments at compile time",
                                          attribute->attr, describe(*object)));
  }
  return checked(std::move(outcome), expr.range);
}

std::optional<std::optional<Value>> Evaluator::tensor_call(const syntax::Call& e, const syntax::Attribute& callee,
                                                           const Expr& expr) {
  if (callee.attr != "sum" && callee.attr != "max" && callee.attr != "min" && callee.attr != "dot" &&
      callee.attr != "norm_sqr")
    return std::nullopt;
  auto object = value(*callee.value);
  if (!object) return std::optional<Value>();
  auto* tensor = std::get_if<ConstantTensor>(&*object);
  if (!tensor) return std::nullopt;
  auto arguments = sequence(e.args);
  if (!arguments) return std::optional<Value>();
  return checked(tensor_method(*tensor, callee.attr, std::get<Tuple>(*arguments).items), expr.range);
}

std::optional<Value> Evaluator::call(const syntax::Call& e, const Expr& expr) {
  if (auto result = method(e, expr)) return *result;
  auto callee = value(*e.func);
  if (!callee) return std::nullopt;
  if (auto* func = std::get_if<Func>(&*callee); func && locals_.empty()) {
    if (auto result = scope_.inlined(*func, e, expr)) return *std::move(result);
  }
  auto* builtin = std::get_if<Builtin>(&*callee);
  auto* info = builtin ? find_builtin(builtin->name) : nullptr;
  const std::optional<PlacedCall> placed = info ? std::make_optional<PlacedCall>(*info, e) : std::nullopt;
  auto arguments = sequence(placed ? placed->call().args : e.args);
  if (!arguments) return std::nullopt;
  std::vector<Value> list = std::get<Tuple>(*arguments).items;
  if (info && takes_iterables(*info)) {
    for (Value& argument : list) argument = listed(std::move(argument));
  }
  std::vector<std::pair<std::string, Value>> named;
  bool reverse = false;
  std::optional<Value> axes;
  for (const syntax::Keyword& keyword : placed ? placed->call().keywords : e.keywords) {
    auto argument = value(*keyword.value);
    if (!argument) return std::nullopt;
    if ((info && info->kind == BuiltinKind::CompoundTypeMaker) || (is_of_the_host(*callee) && !keyword.arg.empty())) {
      named.emplace_back(keyword.arg, std::move(*argument));
      continue;
    }
    if (info && info->kind == BuiltinKind::NdRange && keyword.arg == "axes") {
      axes = std::move(argument);
      continue;
    }
    if (info && info->name == "sorted" && keyword.arg == "reverse") {
      reverse = truth(*argument);
      continue;
    }
    if (info && keyword.arg == "start" && list.size() == 1 &&
        (info->name == "sum" || info->kind == BuiltinKind::Enumerate)) {
      list.push_back(std::move(*argument));
      continue;
    }
    if (info && info->kind == BuiltinKind::ArrayAnnotation &&
        (keyword.arg == "dtype" || keyword.arg == "ndim" || keyword.arg == "needs_grad" || keyword.arg == "boundary")) {
      size_t position = keyword.arg == "dtype" ? 0 : keyword.arg == "ndim" ? 1 : keyword.arg == "needs_grad" ? 2 : 3;
      if (list.size() <= position) list.resize(position + 1, Value(None{}));
      list[position] = std::move(*argument);
      continue;
    }
    return fail(
        ErrorKind::Syntax, keyword.range,
        fmt::format("the keyword argument `{}` is not supported here", keyword.arg.empty() ? "**" : keyword.arg));
  }
  if (info && info->kind == BuiltinKind::GetAttribute) return named_attribute(list, expr);
  auto* tested =
      info && (info->name == "any" || info->name == "all") && list.size() == 1 ? std::get_if<Tuple>(&list[0]) : nullptr;
  for (size_t i = 0; tested && i < tested->items.size(); ++i) {
    const auto known = known_truth(tested->items[i], expr.range, scope_);
    if (!known) return std::nullopt;
    tested->items[i] = Value(*known);
  }
  if (info && info->kind == BuiltinKind::Container)
    return checked(call_container_function(info->name, list, reverse), expr.range);
  if (info && !named.empty()) return checked(compound_type(info->name.substr(6), list, named, options_), expr.range);
  return evaluate_call(*callee, list, expr.range, scope_, options_, axes ? &*axes : nullptr, std::move(named));
}

}  // namespace qd::frontend
