// Constant folding of calls of host functions and classes with known arguments, while the kernel is compiled.
#include "runtime/frontend/expressions/constant_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using syntax::Expr;

bool is_conversion(const BuiltinInfo& info) {
  return info.kind == BuiltinKind::IntType || info.kind == BuiltinKind::FloatType || info.kind == BuiltinKind::BoolType;
}

namespace {

/// The call with the values of its arguments; nothing when one is not known.
std::optional<HostCall> host_call(Compilation& c, const Value& callee, const EvaluatedArguments& given,
                                  const syntax::Call& e) {
  const KernelScope scope(c);
  HostCall call{callee, {}, {}, {}, true};
  auto add = [&](const Item& item) {
    auto value = scope.as_value(item);
    if (value) call.arguments.push_back(std::move(*value));
    return value.has_value();
  };
  for (const Expr* argument : e.args) {
    const Item& item = given.at(argument).value;
    const bool several = std::holds_alternative<syntax::Starred>(argument->node);
    if (several ? !std::ranges::all_of(std::get<Items>(item).list, add) : !add(item)) return std::nullopt;
  }
  for (const syntax::Keyword& keyword : e.keywords) {
    auto value = scope.as_value(given.at(keyword.value).value);
    if (!value) return std::nullopt;
    call.named.emplace_back(keyword.arg, std::move(*value));
  }
  return call;
}

}  // namespace

bool is_of_the_package(Compilation& c, const Item& callee) {
  auto* object = known_as<HostObject>(callee);
  auto module = object ? c.function().environment->attribute(*object, "__module__") : std::nullopt;
  auto* name = module ? std::get_if<std::string>(&*module) : nullptr;
  return name && is_module_of_the_package(*name);
}

std::optional<Item> constant_call(Compilation& c, const Item& callee, const EvaluatedArguments& given,
                                  const syntax::Call& e, const Expr& expr, std::string& needs_kernel) {
  auto* value = std::get_if<Value>(&callee);
  if (std::ranges::any_of(given, [](const auto& argument) { return has_failed(argument.second.value); }))
    return Poison{};
  if (!value || !is_of_the_host(*value) || is_of_the_package(c, callee)) return std::nullopt;
  auto call = host_call(c, *value, given, e);
  if (!call) return std::nullopt;
  KernelScope scope(c);
  Outcome outcome = call_host(*call, scope);
  if (outcome.value) return Item(std::move(*outcome.value));
  if (outcome.is_code) needs_kernel = std::move(outcome.error);
  if (!outcome.is_impossible || outcome.is_code) return std::nullopt;
  return c.report.error(ErrorKind::Compilation, expr.range, std::move(outcome.error));
}

bool may_be_constant(Compilation& c, const BuiltinInfo& info, const syntax::Call& e) {
  if (!e.keywords.empty() || info.kind == BuiltinKind::Library) return false;
  if (is_conversion(info) || (info.name == "round" && e.args.size() == 2) || (info.name == "pow" && e.args.size() == 3))
    return true;
  auto callee = callee_value(c, *e.func);
  return callee && is_python_math(*callee);
}

std::optional<Item> constant_builtin_call(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& arguments,
                                          const syntax::Call& e, const Range& range) {
  std::vector<Value> known;
  for (const Item& item : arguments) {
    auto* value = std::get_if<Value>(&item);
    if (!value) return std::nullopt;
    known.push_back(*value);
  }
  KernelScope scope(c);
  if (is_conversion(info)) {
    if (known.empty() || !std::holds_alternative<std::string>(known[0])) return std::nullopt;
    auto value = evaluate_call(Builtin{std::string(info.name)}, known, range, scope, c.options);
    return value ? Item(std::move(*value)) : Item(Poison{});
  }
  if (!std::ranges::all_of(known, is_number)) return std::nullopt;
  if (exact_call(info, known)) {
    auto value = evaluate_call(Builtin{std::string(info.name)}, known, range, scope, c.options);
    return value ? Item(std::move(*value)) : Item(Poison{});
  }
  HostResult result = c.function().environment->call({*callee_value(c, *e.func), {}, std::move(known), {}});
  return result.value ? std::optional(Item(std::move(*result.value))) : std::nullopt;
}

}  // namespace qd::frontend
