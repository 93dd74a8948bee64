// A kernel's parameters and results, from its annotations.
#include <fmt/format.h>

#include "runtime/frontend/annotation.h"
#include "runtime/frontend/builtins.h"
#include "runtime/frontend/diagnostics.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {
namespace {

using syntax::Expr;
using syntax::Range;

class Reader : public StaticScope {
 public:
  Reader(const FunctionSource& source, Environment& environment, const Options& options)
      : source_(source), environment_(environment), options_(options) {}

  Signature read() {
    const syntax::FunctionDef& def = source_.function();
    const syntax::Arguments& args = *def.args;
    for (const syntax::Arg& arg : args.posonlyargs) parameter(arg);
    for (const syntax::Arg& arg : args.args) parameter(arg);
    for (const Expr* value : args.defaults) error(ErrorKind::Syntax, value->range, "default values are not supported for kernel parameters");
    if (args.vararg) error(ErrorKind::Syntax, args.vararg->range, fmt::format("`*{}` is not supported in kernels", args.vararg->arg));
    if (args.kwarg) error(ErrorKind::Syntax, args.kwarg->range, fmt::format("`**{}` is not supported in kernels", args.kwarg->arg));
    for (const syntax::Arg& arg : args.kwonlyargs) {
      error(ErrorKind::Syntax, arg.range, fmt::format("`{}` is keyword-only, which is not supported in kernels", arg.arg));
    }
    if (signature_.parameters.size() > 512) error(ErrorKind::Syntax, source_.def->range, "a kernel has at most 512 parameters");
    if (def.is_async) error(ErrorKind::Syntax, source_.def->range, "`async def` is not supported for kernels");
    if (def.returns) results(*def.returns);
    diagnostics_.throw_if_any();
    return std::move(signature_);
  }

  std::optional<Value> name(const Expr& expr) override {
    std::string_view id = std::get<syntax::Name>(expr.node).id;
    if (auto value = environment_.lookup(id)) return value;
    if (auto value = python_builtin(id)) return value;
    error(ErrorKind::Name, expr.range, fmt::format("name `{}` is not defined", id));
    return std::nullopt;
  }
  Environment& environment() override { return environment_; }
  void error(ErrorKind kind, const Range& range, std::string message) override {
    diagnostics_.add(diagnostic_at(source_, kind, range, std::move(message)), range);
  }

 private:
  void parameter(const syntax::Arg& arg) {
    Parameter parameter;
    parameter.name = arg.arg;
    if (!arg.annotation && source_.method && signature_.parameters.empty()) {
      parameter.kind = Parameter::Kind::Template;
    } else if (!arg.annotation) {
      error(ErrorKind::Syntax, arg.range, fmt::format("kernel parameter `{}` needs an annotation", arg.arg));
    } else if (is_template(arg.annotation, environment_)) {
      parameter.kind = Parameter::Kind::Template;
    } else if (auto value = evaluate_annotation(*arg.annotation, *this, options_)) {
      read_annotation(*value, arg, parameter);
    }
    signature_.parameters.push_back(std::move(parameter));
  }

  void read_annotation(const Value& value, const syntax::Arg& arg, Parameter& parameter) {
    auto* builtin = std::get_if<Builtin>(&value);
    auto* info = builtin ? find_builtin(builtin->name) : nullptr;
    if (info && info->kind == BuiltinKind::Template) {
      parameter.kind = Parameter::Kind::Template;
    } else if (auto type = dtype_of(value, options_)) {
      parameter.type = *type;
    } else if (auto array = read_array_annotation(value)) {
      parameter.kind = Parameter::Kind::Array;
      parameter.type = array->type;
      parameter.rank = array->rank;
    } else {
      error(ErrorKind::Type, arg.annotation->range,
            fmt::format("{} cannot be the annotation of a kernel parameter", describe(value)));
    }
  }

  void results(const Expr& annotation) {
    // tuple[a, b] means (a, b).
    const Expr* list = &annotation;
    auto* subscript = std::get_if<syntax::Subscript>(&annotation.node);
    auto* base = subscript ? std::get_if<syntax::Name>(&subscript->value->node) : nullptr;
    if (base && (base->id == "tuple" || base->id == "Tuple")) list = subscript->slice;
    auto value = evaluate_annotation(*list, *this, options_);
    if (!value || std::holds_alternative<None>(*value)) return;
    auto* tuple = std::get_if<Tuple>(&*value);
    for (const Value& part : tuple ? tuple->items : std::vector<Value>{*value}) {
      if (auto type = dtype_of(part, options_)) {
        signature_.results.push_back(*type);
      } else {
        error(ErrorKind::Type, annotation.range, fmt::format("{} cannot be a result of a kernel", describe(part)));
      }
    }
  }

  const FunctionSource& source_;
  Environment& environment_;
  const Options& options_;
  Diagnostics diagnostics_;
  Signature signature_;
};

}  // namespace

Signature signature(const FunctionSource& source, Environment& environment, const Options& options) {
  return Reader(source, environment, options).read();
}

}  // namespace qd::frontend
