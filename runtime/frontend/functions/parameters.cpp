// Parameters of a kernel itself: binds them to their arguments.
#include "runtime/frontend/functions/function_start.h"

#include <fmt/format.h>

#include <array>

#include "runtime/frontend/memory/names.h"

namespace qd::frontend {

using ir::Type;
using syntax::overloaded;

namespace {

Binding bind_leaf(Compilation& c, const Signature& signature, std::span<const ArgumentType> arguments, size_t index) {
  const Parameter& leaf = signature.parameters[index];
  const auto number = static_cast<uint32_t>(index);
  Binding binding;
  binding.immutable = true;
  std::visit(overloaded{
                 [&](Type type) {
                   c.kernel.params.push_back({leaf.name, type});
                   binding.what = ParamRef{static_cast<uint32_t>(c.kernel.params.size() - 1)};
                 },
                 [&](const ArrayType& array) {
                   c.kernel.arrays.push_back(
                       {ir::Array::Kind::Parameter, leaf.name, array.type, array.rank, {}, 0, array.layout});
                   binding.what = Item(
                       ArrayRef{static_cast<uint32_t>(c.kernel.arrays.size() - 1), array.element_shape, leaf.clamp});
                 },
                 [&](const Value& value) { binding.what = Item(c.captures.reads.argument(number, value)); },
             },
             arguments[index]);
  return binding;
}

Item parameter_item(Compilation& c, const ParameterTree& tree, const Signature& signature,
                    std::span<const ArgumentType> arguments) {
  switch (tree.form) {
    case ParameterTree::Form::Leaf: {
      Binding binding = bind_leaf(c, signature, arguments, tree.first);
      return read_binding(c, binding);
    }
    case ParameterTree::Form::Tensor: {
      Tensor tensor;
      tensor.shape = tree.shape;
      for (size_t i = tree.first; i < tree.first + tree.count; ++i) {
        Binding binding = bind_leaf(c, signature, arguments, i);
        Number number = std::get<Number>(read_binding(c, binding));
        tensor.type = number.type;
        tensor.numbers.push_back(number.id);
      }
      return tensor;
    }
    case ParameterTree::Form::View: {
      std::array<Item, 3> parts;
      for (size_t i = 0; i < parts.size(); ++i) {
        Binding binding = bind_leaf(c, signature, arguments, tree.first + i);
        parts[i] = read_binding(c, binding);
      }
      return View{std::get<ArrayRef>(parts[0]), std::get<Number>(parts[1]).id, std::get<Number>(parts[2]).id};
    }
    case ParameterTree::Form::Struct:
    case ParameterTree::Form::Dataclass: break;
  }
  Record record{tree.structure, {}, tree.is_array};
  for (const ParameterTree& part : tree.parts) record.members.push_back(parameter_item(c, part, signature, arguments));
  return record;
}

/// Adds the gradients of parameters behind their arrays: a launch finds those by the order of the parameters.
void bind_gradients(Compilation& c, std::span<const ArgumentType> arguments) {
  uint32_t row = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto* array = std::get_if<ArrayType>(&arguments[i]);
    if (!array) continue;
    if (array->gradient) c.captures.gradient_of(row, *array->gradient);
    ++row;
  }
}

}  // namespace

void bind_parameters(Compilation& c, const Signature& signature, std::span<const ArgumentType> arguments) {
  if (signature.parameters.size() != arguments.size()) {
    throw std::logic_error(fmt::format("kernel {} has {} parameters, {} arguments are given", c.kernel.name,
                                       signature.parameters.size(), arguments.size()));
  }
  const syntax::Arguments& args = *c.function().source->function().args;
  std::vector<const syntax::Arg*> parameters;
  for (const syntax::Arg& arg : args.posonlyargs) parameters.push_back(&arg);
  for (const syntax::Arg& arg : args.args) parameters.push_back(&arg);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ParameterTree& tree = signature.trees[i];
    Binding binding;
    if (tree.form == ParameterTree::Form::Leaf) {
      binding = bind_leaf(c, signature, arguments, tree.first);
    } else {
      binding.what = parameter_item(c, tree, signature, arguments);
      binding.immutable = true;
    }
    bind(c, parameters[i]->arg, std::move(binding));
  }
  bind_gradients(c, arguments);
}

}  // namespace qd::frontend
