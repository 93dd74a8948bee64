// Signature of a kernel: its parameters and results, from its annotations.
#include "runtime/frontend/interface/signature.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/interface/annotation.h"

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
    for (const Expr* value : args.defaults)
      error(ErrorKind::Syntax, value->range, "default values are not supported for kernel parameters");
    if (args.vararg)
      error(ErrorKind::Syntax, args.vararg->range, fmt::format("`*{}` is not supported in kernels", args.vararg->arg));
    if (args.kwarg)
      error(ErrorKind::Syntax, args.kwarg->range, fmt::format("`**{}` is not supported in kernels", args.kwarg->arg));
    for (const syntax::Arg& arg : args.kwonlyargs) {
      error(ErrorKind::Syntax, arg.range,
            fmt::format("`{}` is keyword-only, which is not supported in kernels", arg.arg));
    }
    const size_t written = args.posonlyargs.size() + args.args.size();  // a vector is one, however long it is
    if (written > 512) {
      const Range name{source_.def->range.line, source_.def->range.col, source_.def->range.line,
                       source_.def->range.col + 3};
      error(ErrorKind::Syntax, name,
            fmt::format(
                "a kernel has at most 512 parameters, this one {}: put several into an ndarray, a vector or a struct",
                written));
    }
    if (def.is_async) error(ErrorKind::Syntax, source_.def->range, "`async def` is not supported for kernels");
    if (def.returns) results(*def.returns);
    diagnostics_.throw_if_any();
    return std::move(signature_);
  }

  std::optional<Value> name(const Expr& expr) override {
    std::string_view id = std::get<syntax::Name>(expr.node).id;
    if (auto value = environment_.lookup(id)) return value;
    if (auto value = python_builtin(id)) return value;
    error(ErrorKind::Name, expr.range,
          fmt::format("Name \"{}\" is not defined{}", id, meant(environment_.near_name(id, {}))));
    return std::nullopt;
  }
  Environment& environment() override { return environment_; }
  void error(ErrorKind kind, const Range& range, std::string message) override {
    diagnostics_.add(diagnostic_at(source_, kind, range, std::move(message)), range);
  }

 private:
  void parameter(const syntax::Arg& arg) {
    ParameterTree tree;
    tree.name = arg.arg;
    tree.first = signature_.parameters.size();
    if (!arg.annotation && source_.method && signature_.parameters.empty()) {
      add_leaf({std::string(arg.arg), Parameter::Kind::Template, std::nullopt, std::nullopt}, tree);
    } else if (!arg.annotation) {
      error(ErrorKind::Syntax, arg.range, fmt::format("kernel parameter `{}` needs an annotation", arg.arg));
      add_leaf({std::string(arg.arg), Parameter::Kind::Scalar, std::nullopt, std::nullopt}, tree);
    } else if (is_template(arg, environment_)) {
      auto value = defined_annotation(arg.arg, environment_);
      if (!value) value = quiet_value(*arg.annotation, environment_);
      auto* builtin = value ? std::get_if<Builtin>(&*value) : nullptr;
      tree.any_array = builtin && builtin->name == "Tensor";
      add_leaf({std::string(arg.arg), Parameter::Kind::Template, std::nullopt, std::nullopt}, tree);
    } else if (auto value = parameter_annotation(arg, *this, environment_, options_)) {
      read_annotation(*value, arg.annotation->range, std::string(arg.arg), tree);
    } else {
      add_leaf({std::string(arg.arg), Parameter::Kind::Scalar, std::nullopt, std::nullopt}, tree);
    }
    signature_.trees.push_back(std::move(tree));
  }

  void add_leaf(Parameter leaf, ParameterTree& tree) {
    signature_.parameters.push_back(std::move(leaf));
    ++tree.count;
  }

  /// Reads an annotation. `name`: of the parameter, or of the member behind its owner's name ("p.position").
  void read_annotation(const Value& value, const Range& range, const std::string& name, ParameterTree& tree) {
    auto* builtin = std::get_if<Builtin>(&value);
    auto* info = builtin ? find_builtin(builtin->name) : nullptr;
    auto* compound = std::get_if<CompoundType>(&value);
    if (info && info->kind == BuiltinKind::Template) {
      add_leaf({name, Parameter::Kind::Template, std::nullopt, std::nullopt}, tree);
    } else if (auto type = dtype_of(value, options_)) {
      add_leaf({name, Parameter::Kind::Scalar, *type, std::nullopt}, tree);
    } else if (auto array = read_array_annotation(value)) {
      read_array(*array, range, name, tree);
    } else if (auto view = read_view_annotation(value)) {
      tree.form = ParameterTree::Form::View;
      add_leaf({name, Parameter::Kind::Array, view->type, 1, view->element_shape}, tree);
      add_leaf({name + ".offset", Parameter::Kind::Scalar, ir::Type::I32, std::nullopt}, tree);
      add_leaf({name + ".size", Parameter::Kind::Scalar, ir::Type::I32, std::nullopt}, tree);
    } else if (compound && compound->structure) {
      tree.structure = compound->structure;
      tree.form = compound->structure->dataclass ? ParameterTree::Form::Dataclass : ParameterTree::Form::Struct;
      for (size_t i = 0; i < tree.structure->names.size(); ++i) {
        part(tree.structure->names[i], name, tree, [&](const std::string& path, ParameterTree& member) {
          read_annotation(tree.structure->types[i], range, path, member);
        });
      }
    } else if (compound) {
      tree.form = ParameterTree::Form::Tensor;
      tree.shape = compound->shape;
      const ir::Type type = number_type_of(*compound, options_).value_or(options_.default_fp);
      for (int32_t i = 0; i < count_of(tree.shape); ++i)
        add_leaf({fmt::format("{}[{}]", name, i), Parameter::Kind::Scalar, type, std::nullopt}, tree);
    } else {
      error(ErrorKind::Type, range, fmt::format("{} cannot be the annotation of a kernel parameter", describe(value)));
      add_leaf({name, Parameter::Kind::Scalar, std::nullopt, std::nullopt}, tree);
    }
  }

  void read_array(const ArrayAnnotation& array, const Range& range, const std::string& name, ParameterTree& tree) {
    if (array.element && array.element->structure) {
      tree.structure = array.element->structure;
      tree.form = ParameterTree::Form::Struct;
      tree.is_array = true;
      for (size_t i = 0; i < tree.structure->names.size(); ++i) {
        ArrayAnnotation member{dtype_of(tree.structure->types[i], options_), std::nullopt, array.rank, array.needs_grad,
                               array.clamp};
        if (auto* type = std::get_if<CompoundType>(&tree.structure->types[i])) member.element = *type;
        const std::optional<ir::Type> number = member.element ? number_type_of(*member.element, options_) : member.type;
        if (number && !ir::is_float(*number)) member.needs_grad.reset();
        part(tree.structure->names[i], name, tree,
             [&](const std::string& path, ParameterTree& of) { read_array(member, range, path, of); });
      }
      return;
    }
    Parameter leaf{name, Parameter::Kind::Array, array.type, array.rank};
    leaf.clamp = array.clamp;
    if (array.type) leaf.element_shape = std::vector<int32_t>();
    if (array.element) {
      leaf.type = number_type_of(*array.element, options_);
      leaf.element_shape = array.element->shape;
    }
    leaf.needs_grad = array.needs_grad;
    add_leaf(std::move(leaf), tree);
  }

  template <class Read>
  void part(const std::string& member, const std::string& name, ParameterTree& tree, Read&& read) {
    ParameterTree& part = tree.parts.emplace_back();
    part.name = member;
    part.first = signature_.parameters.size();
    read(name + "." + member, part);
    tree.count += part.count;
  }

  void results(const Expr& annotation) {
    auto value = defined_annotation("return", environment_);
    if (value && std::holds_alternative<None>(*value)) return;
    if (auto tree = value ? result_of(*value, annotation.range) : result(annotation))
      signature_.result = std::move(*tree);
  }

  // tuple[a, b] means (a, b).
  std::optional<ResultTree> result(const Expr& annotation) {
    auto* subscript = std::get_if<syntax::Subscript>(&annotation.node);
    auto* base = subscript ? std::get_if<syntax::Name>(&subscript->value->node) : nullptr;
    if (base && (base->id == "tuple" || base->id == "Tuple")) return result_list(*subscript->slice);
    if (std::holds_alternative<syntax::Tuple>(annotation.node)) return result_list(annotation);
    auto value = evaluate_annotation(annotation, *this, options_);
    if (!value || std::holds_alternative<None>(*value)) return std::nullopt;
    return result_of(*value, annotation.range);
  }

  std::optional<ResultTree> result_list(const Expr& list) {
    ResultTree tree;
    tree.tuple = true;
    tree.first = signature_.results.size();
    auto* several = std::get_if<syntax::Tuple>(&list.node);
    for (const Expr* part : several ? several->elts : syntax::List<syntax::ExprPtr>()) {
      if (auto inner = result(*part)) tree.parts.push_back(std::move(*inner));
    }
    if (!several) {
      if (auto inner = result(list)) tree.parts.push_back(std::move(*inner));
    }
    tree.count = signature_.results.size() - tree.first;
    return tree;
  }

  ResultTree result_of(const Value& value, const Range& range) {
    ResultTree tree;
    tree.first = signature_.results.size();
    auto* compound = std::get_if<CompoundType>(&value);
    auto* tuple = std::get_if<Tuple>(&value);
    if (tuple && !read_array_annotation(value)) {
      tree.tuple = true;
      for (const Value& part : tuple->items) tree.parts.push_back(result_of(part, range));
    } else if (compound && compound->structure && !compound->structure->dataclass) {
      tree.structure = compound->structure;
      for (size_t i = 0; i < tree.structure->names.size(); ++i) {
        tree.parts.push_back(result_of(tree.structure->types[i], range));
        tree.parts.back().name = tree.structure->names[i];
      }
    } else if (compound && !compound->structure) {
      tree.shape = compound->shape;
      signature_.results.insert(signature_.results.end(), static_cast<size_t>(count_of(tree.shape)),
                                number_type_of(*compound, options_).value_or(options_.default_fp));
    } else if (auto type = dtype_of(value, options_)) {
      signature_.results.push_back(*type);
    } else {
      error(ErrorKind::Type, range, fmt::format("{} cannot be a result of a kernel", describe(value)));
    }
    tree.count = signature_.results.size() - tree.first;
    return tree;
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
