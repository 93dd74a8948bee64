// What a kernel's parameters are inside of it: the leaves that a launch passes, put together as the source has them;
// and its results, taken apart.
#include <fmt/format.h>

#include <array>

#include "runtime/frontend/compound_types.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::overloaded;

Binding Lowering::bind_leaf(const Signature& signature, std::span<const Argument> arguments, size_t index) {
  const Parameter& leaf = signature.parameters[index];
  const auto number = static_cast<uint32_t>(index);
  Binding binding;
  binding.immutable = true;
  std::visit(overloaded{
                 [&](Type type) {
                   kernel_.params.push_back({leaf.name, type});
                   binding.what = ParamRef{static_cast<uint32_t>(kernel_.params.size() - 1)};
                 },
                 [&](const ArrayType& array) {
                   kernel_.arrays.push_back(
                       {ir::Array::Kind::Parameter, leaf.name, array.type, array.rank, {}, 0, array.layout});
                   binding.what = Item(
                       ArrayRef{static_cast<uint32_t>(kernel_.arrays.size() - 1), array.element_shape, {}, leaf.clamp});
                 },
                 [&](const Value& value) { binding.what = Item(reads_.argument(number, value)); },
             },
             arguments[index]);
  return binding;
}

Binding Lowering::leaf_binding(const ParameterTree& tree, const Signature& signature,
                               std::span<const Argument> arguments) {
  Binding binding = bind_leaf(signature, arguments, tree.first);
  if (tree.count == 2) {
    Binding grad = bind_leaf(signature, arguments, tree.first + 1);
    std::get<ArrayRef>(std::get<Item>(binding.what)).grad = std::get<ArrayRef>(std::get<Item>(grad.what)).index;
  }
  return binding;
}

Item Lowering::parameter_item(const ParameterTree& tree, const Signature& signature,
                              std::span<const Argument> arguments) {
  switch (tree.form) {
    case ParameterTree::Form::Leaf: {
      Binding binding = leaf_binding(tree, signature, arguments);
      return read(binding);
    }
    case ParameterTree::Form::Tensor: {
      Tensor tensor;
      tensor.shape = tree.shape;
      for (size_t i = tree.first; i < tree.first + tree.count; ++i) {
        Binding binding = bind_leaf(signature, arguments, i);
        Number number = std::get<Number>(read(binding));
        tensor.type = number.type;
        tensor.numbers.push_back(number.id);
      }
      return tensor;
    }
    case ParameterTree::Form::View: {
      std::array<Item, 3> parts;
      for (size_t i = 0; i < parts.size(); ++i) {
        Binding binding = bind_leaf(signature, arguments, tree.first + i);
        parts[i] = read(binding);
      }
      return View{std::get<ArrayRef>(parts[0]), std::get<Number>(parts[1]).id, std::get<Number>(parts[2]).id};
    }
    case ParameterTree::Form::Struct:
    case ParameterTree::Form::Dataclass: break;
  }
  Record record{tree.structure, {}, tree.is_array};
  for (const ParameterTree& part : tree.parts) record.members.push_back(parameter_item(part, signature, arguments));
  return record;
}

void Lowering::bind_parameters(const Signature& signature, std::span<const Argument> arguments) {
  if (signature.parameters.size() != arguments.size()) {
    throw std::logic_error(fmt::format("kernel {} has {} parameters, {} arguments are given", kernel_.name,
                                       signature.parameters.size(), arguments.size()));
  }
  const syntax::Arguments& args = *frame().source->function().args;
  std::vector<const syntax::Arg*> parameters;
  for (const syntax::Arg& arg : args.posonlyargs) parameters.push_back(&arg);
  for (const syntax::Arg& arg : args.args) parameters.push_back(&arg);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ParameterTree& tree = signature.trees[i];
    Binding binding;
    if (tree.form == ParameterTree::Form::Leaf) {
      binding = leaf_binding(tree, signature, arguments);
    } else {
      binding.what = parameter_item(tree, signature, arguments);
      binding.immutable = true;
    }
    bind(parameters[i]->arg, std::move(binding));
  }
}

namespace {

// The parts of an item that a tuple or struct result has.
std::optional<std::vector<Item>> parts_of(const Item& item) {
  if (auto* items = std::get_if<Items>(&item)) return items->list;
  if (auto* record = std::get_if<Record>(&item)) return record->members;
  auto* value = std::get_if<Value>(&item);
  auto* tuple = value ? std::get_if<Tuple>(value) : nullptr;
  if (!tuple) return std::nullopt;
  return std::vector<Item>(tuple->items.begin(), tuple->items.end());
}

}  // namespace

bool Lowering::result_numbers(const ResultTree& tree, const Item& item, const syntax::Range& range,
                              std::vector<InstId>& numbers) {
  if (poisoned(item)) return false;
  if (tree.tuple || tree.structure) {
    auto parts = parts_of(item);
    auto* record = std::get_if<Record>(&item);
    if (!parts || (tree.structure && record && !same_type(*tree.structure, *record->type))) {
      error(ErrorKind::Type, range,
            fmt::format("{} is returned, {} is annotated", describe_item(item),
                        tree.structure ? fmt::format("struct `{}`", tree.structure->name) : "a tuple"));
      return false;
    }
    if (parts->size() != tree.parts.size()) {
      error(ErrorKind::Type, range,
            fmt::format("{} values are returned, {} are annotated", parts->size(), tree.parts.size()));
      return false;
    }
    bool good = true;
    for (size_t i = 0; i < parts->size(); ++i) good &= result_numbers(tree.parts[i], (*parts)[i], range, numbers);
    return good;
  }
  const Type type = kernel_.results[tree.first];
  if (tree.shape.empty()) {
    auto id = coerce_stored(item, type, range);
    if (id) numbers.push_back(*id);
    return id.has_value();
  }
  auto tensor = as_tensor(item, range);
  if (!tensor || tensor->shape != tree.shape) {
    error(ErrorKind::Type, range,
          fmt::format("{} is returned, {} is annotated", describe_item(item),
                      describe(CompoundType{type, tree.shape, nullptr})));
    return false;
  }
  for (size_t i = 0; i < tensor->numbers.size(); ++i) {
    auto id = coerce_stored(component_item(*tensor, i), type, range);
    if (!id) return false;
    numbers.push_back(*id);
  }
  return true;
}

// What a `return` of the kernel itself stores as its results.
void Lowering::lower_results(const syntax::Return& s, const Stmt& stmt) {
  if (frames_.size() > 1) return;
  const Item& result = frame().result;
  if (poisoned(result)) return;
  auto* value = std::get_if<Value>(&result);
  const bool nothing = !s.value || (value && std::holds_alternative<None>(*value));
  if (!result_) {
    if (!nothing)
      error(ErrorKind::Syntax, stmt.range, "a kernel that returns a value needs a return annotation (-> dtype)");
    return;
  }
  if (nothing) {
    error(ErrorKind::Type, stmt.range,
          fmt::format("0 values are returned, {} are annotated", result_->tuple ? result_->parts.size() : 1));
    return;
  }
  std::vector<InstId> numbers;
  const ResultTree& tree = *result_;
  const auto parts = tree.tuple ? std::nullopt : parts_of(result);
  if (parts && !tree.structure && tree.shape.empty()) {
    error(ErrorKind::Type, stmt.range, fmt::format("{} values are returned, 1 are annotated", parts->size()));
    return;
  }
  if (result_numbers(tree, result, s.value->range, numbers) && !numbers.empty())
    build_.inst(Op::Return, Type::Void, numbers);
}

}  // namespace qd::frontend
