// Annotations: evaluated at compile time, strings included.
#include "runtime/frontend/interface/annotation.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/builtins.h"

namespace qd::frontend {

using syntax::Expr;

std::optional<Value> evaluate_annotation(const Expr& expr, StaticScope& scope, const Options& options) {
  auto* text = std::get_if<syntax::Constant>(&expr.node);
  if (!text || text->kind != syntax::ConstantKind::Str) return evaluate(expr, scope, options);
  syntax::ParseResult parsed = syntax::parse(std::string(text->text));
  auto* statement = parsed.module && parsed.module->body.size() == 1
                        ? std::get_if<syntax::ExprStmt>(&parsed.module->body[0]->node)
                        : nullptr;
  if (!statement) {
    scope.error(ErrorKind::Syntax, expr.range, fmt::format("the annotation '{}' is not an expression", text->text));
    return std::nullopt;
  }
  // Errors inside the string point at the string.
  struct Inside : StaticScope {
    Inside(StaticScope& outer, const syntax::Range& range) : outer(outer), range(range) {}
    std::optional<Value> name(const Expr& e) override {
      Expr at = e;
      at.range = range;
      return outer.name(at);
    }
    Environment& environment() override { return outer.environment(); }
    void error(ErrorKind kind, const syntax::Range&, std::string message) override {
      outer.error(kind, range, std::move(message));
    }
    StaticScope& outer;
    syntax::Range range;
  } inside(scope, expr.range);
  return evaluate(*statement->value, inside, options);
}

std::optional<Value> quiet_value(const Expr& expr, Environment& environment) {
  if (auto* name = std::get_if<syntax::Name>(&expr.node)) {
    if (auto value = environment.lookup(name->id)) return value;
    return python_builtin(name->id);
  }
  auto* attribute = std::get_if<syntax::Attribute>(&expr.node);
  if (!attribute) return std::nullopt;
  auto object = quiet_value(*attribute->value, environment);
  if (!object) return std::nullopt;
  if (auto* host = std::get_if<HostObject>(&*object)) return environment.attribute(*host, attribute->attr);
  if (auto* builtin = std::get_if<Builtin>(&*object))
    return language_value(builtin->name + "." + std::string(attribute->attr));
  return std::nullopt;
}

// The host answers to these keys as to names; no name has blanks in it.
std::optional<Value> defined_annotation(std::string_view parameter, Environment& environment) {
  auto value = environment.lookup(fmt::format("annotation of {}", parameter));
  return value && std::holds_alternative<HostObject>(*value) ? std::nullopt : value;
}

std::optional<Value> defined_default(std::string_view parameter, Environment& environment) {
  return environment.lookup(fmt::format("default of {}", parameter));
}

std::optional<Value> parameter_annotation(const syntax::Arg& parameter, StaticScope& scope, Environment& environment,
                                          const Options& options) {
  if (auto value = defined_annotation(parameter.arg, environment)) return value;
  return evaluate_annotation(*parameter.annotation, scope, options);
}

bool is_template(const syntax::Arg& parameter, Environment& environment) {
  const Expr* annotation = parameter.annotation;
  if (!annotation) return false;
  if (auto value = defined_annotation(parameter.arg, environment)) {
    auto* builtin = std::get_if<Builtin>(&*value);
    auto* info = builtin ? find_builtin(builtin->name) : nullptr;
    return info && info->kind == BuiltinKind::Template;
  }
  auto* call = std::get_if<syntax::Call>(&annotation->node);
  auto value = quiet_value(call ? *call->func : *annotation, environment);
  auto* builtin = value ? std::get_if<Builtin>(&*value) : nullptr;
  auto* info = builtin ? find_builtin(builtin->name) : nullptr;
  return info && info->kind == BuiltinKind::Template;
}

}  // namespace qd::frontend
