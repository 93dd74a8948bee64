// Places: variables, elements, components and members that can be loaded and stored.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::Range;

Item Lowering::loaded(Item item) {
  if (auto* number = std::get_if<NumberPlace>(&item)) return Number{build_.load(number->pointer), number->type};
  if (auto* place = std::get_if<TensorPlace>(&item)) {
    Tensor tensor{place->type, place->shape, {}};
    for (size_t i = 0; i < place->components.size(); ++i) tensor.numbers.push_back(build_.load(pointer(*place, i)));
    return tensor;
  }
  if (auto* record = std::get_if<Record>(&item); record && !record->is_array) {
    for (Item& member : record->members) member = loaded(std::move(member));
  }
  return item;
}

InstId Lowering::pointer(const TensorPlace& place, size_t i) {
  const Component& component = place.components[i];
  const bool alone =
      place.local != InstId::None ? place.local_size == 1 : kernel_.arrays[place.array].layout.components == 1;
  if (alone && place.local != InstId::None) return place.local;
  InstId index = alone ? InstId::None : component.index;
  if (!alone && index == InstId::None) index = constant(Type::I32, Value(int64_t{component.known}));
  if (place.local != InstId::None) return build_.inst(Op::LocalPtr, place.type, {place.local, index});
  std::vector<InstId> operands = place.indices;
  if (!alone) operands.push_back(index);
  return build_.inst(Op::ElementPtr, place.type, operands, place.array);
}

Item Lowering::empty_place(const Item& value, bool shared) {
  if (auto* tensor = std::get_if<Tensor>(&value)) {
    TensorPlace place;
    place.type = tensor->type;
    place.shape = tensor->shape;
    place.shared = shared;
    place.local_size = static_cast<int32_t>(tensor->numbers.size());
    place.local =
        build_.inst(Op::Alloca, tensor->type, {}, 0, tensor->numbers.size() == 1 ? 0 : tensor->numbers.size());
    for (int32_t i = 0; i < place.local_size; ++i) place.components.push_back({i, InstId::None});
    return place;
  }
  if (auto* record = std::get_if<Record>(&value); record && !record->is_array) {
    Record places{record->type, {}, false};
    for (const Item& member : record->members) places.members.push_back(empty_place(member, shared));
    return places;
  }
  auto* known = std::get_if<Value>(&value);
  if (auto* number = std::get_if<Number>(&value); number || (known && is_number(*known))) {
    Type type = number ? number->type : type_of_value(*known);
    return NumberPlace{build_.variable(type), type, shared};
  }
  return value;  // arrays and what is known at compile time have no place
}

Item Lowering::new_place(const Item& value, bool shared) {
  Item place = empty_place(value, shared);
  fill(place, value);
  return place;
}

// As it is: the types are the same.
void Lowering::fill(const Item& place, const Item& value) {
  if (auto* to = std::get_if<TensorPlace>(&place)) {
    const Tensor& tensor = std::get<Tensor>(value);
    for (size_t i = 0; i < tensor.numbers.size(); ++i) build_.store(pointer(*to, i), tensor.numbers[i]);
  } else if (auto* record = std::get_if<Record>(&place); record && !record->is_array) {
    for (size_t i = 0; i < record->members.size(); ++i) fill(record->members[i], std::get<Record>(value).members[i]);
  } else if (auto* number = std::get_if<NumberPlace>(&place)) {
    auto* own = std::get_if<Number>(&value);
    build_.store(number->pointer, own ? own->id : constant(number->type, std::get<Value>(value)));
  }
}

CompoundVariable Lowering::new_variable(const Item& value) {
  return {std::make_shared<const Item>(new_place(value, false)), !in_parallel_};
}

Item Lowering::as_shared(Item place, bool shared) {
  if (auto* number = std::get_if<NumberPlace>(&place)) number->shared = shared;
  if (auto* tensor = std::get_if<TensorPlace>(&place)) tensor->shared = shared;
  if (auto* record = std::get_if<Record>(&place)) {
    for (Item& member : record->members) member = as_shared(std::move(member), shared);
  }
  return place;
}

Item Lowering::target_place(const Expr& target) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) {
    Binding* binding = find_local(name->id);
    if (!binding) {
      if (auto value = outer_name(name->id, target.range)) {
        return error(ErrorKind::Type, target.range,
                     fmt::format("`{}` is {}: it cannot be changed in a kernel", name->id, describe(*value)));
      }
      return Poison{};
    }
    if (auto* variable = std::get_if<Variable>(&binding->what)) {
      return NumberPlace{variable->place, variable->type, in_parallel_ && variable->shared};
    }
    if (std::holds_alternative<CompoundVariable>(binding->what)) return read(*binding);
    auto* item = std::get_if<Item>(&binding->what);
    if (item && poisoned(*item)) return Poison{};
    if (item && (std::holds_alternative<NumberPlace>(*item) || std::holds_alternative<TensorPlace>(*item)))
      return *item;
    return error(ErrorKind::Type, target.range,
                 binding->immutable ? fmt::format("Kernel argument \"{}\" is immutable in the kernel", name->id)
                                    : fmt::format("`{}` is not a variable that can be changed", name->id));
  }
  auto* subscript = std::get_if<syntax::Subscript>(&target.node);
  auto* attribute = std::get_if<syntax::Attribute>(&target.node);
  if (!subscript && !attribute)
    return error(ErrorKind::Syntax, target.range, fmt::format("{} cannot be assigned in kernels", node_name(target)));
  Item item = eval_place(target);
  if (poisoned(item)) return Poison{};
  auto* record = std::get_if<Record>(&item);
  if (auto* tensor = std::get_if<TensorPlace>(&item); tensor && attribute) {
    for (size_t i = 1; i < tensor->components.size(); ++i) {
      const Component& component = tensor->components[i];
      const bool twice = std::any_of(
          tensor->components.begin(), tensor->components.begin() + static_cast<ptrdiff_t>(i),
          [&](const Component& other) { return other.known == component.known && other.index == component.index; });
      if (twice)
        return error(ErrorKind::Type, target.range,
                     fmt::format("`{}` names a component twice: it cannot be assigned", attribute->attr));
    }
  }
  if (std::holds_alternative<NumberPlace>(item) || std::holds_alternative<TensorPlace>(item) ||
      (record && !record->is_array))
    return item;
  const Expr* root = subscript ? subscript->value : attribute->value;
  for (auto* inner = root; inner;) {
    root = inner;
    auto* s = std::get_if<syntax::Subscript>(&inner->node);
    auto* a = std::get_if<syntax::Attribute>(&inner->node);
    inner = s ? s->value : a ? a->value : nullptr;
  }
  auto* name = std::get_if<syntax::Name>(&root->node);
  Binding* binding = name ? find_local(name->id) : nullptr;
  if (binding && binding->immutable) {
    return error(ErrorKind::Type, target.range,
                 fmt::format("Kernel argument \"{}\" is immutable in the kernel", name->id));
  }
  if (name && !binding && is_compound(eval_place(*root))) {
    return error(
        ErrorKind::Type, target.range,
        fmt::format("`{}` is a value from outside of the kernel, a constant: assign it to a variable first", name->id));
  }
  if (subscript) {
    return error(ErrorKind::Type, target.range,
                 fmt::format("{} has no elements that can be assigned", describe_item(eval_place(*subscript->value))));
  }
  return error(ErrorKind::Type, target.range, fmt::format("`{}` cannot be assigned in kernels", attribute->attr));
}

void Lowering::store_item(const Item& place, const Item& value, const Range& range, bool broadcast) {
  if (poisoned(place) || poisoned(value)) return;
  if (auto* number = std::get_if<NumberPlace>(&place)) {
    if (auto id = coerce_stored(value, number->type, range)) build_.store(number->pointer, *id);
    return;
  }
  if (auto* to = std::get_if<TensorPlace>(&place)) {
    const bool number = is_a_number(value);
    if (number && broadcast) {
      auto id = coerce_stored(value, to->type, range);
      for (size_t i = 0; id && i < to->components.size(); ++i) build_.store(pointer(*to, i), *id);
      return;
    }
    auto tensor = number ? std::nullopt : as_tensor(value, range);
    if (!tensor) {
      error(ErrorKind::Type, range,
            fmt::format("{} cannot be assigned to {}", describe_item(value), describe_item(place)));
    } else if (tensor->shape != to->shape) {
      error(ErrorKind::Type, range,
            fmt::format("{} cannot be assigned to {}", describe_item(*tensor), describe_item(place)));
    } else {
      for (size_t i = 0; i < to->components.size(); ++i) {
        if (auto id = coerce_stored(component_item(*tensor, i), to->type, range)) build_.store(pointer(*to, i), *id);
      }
    }
    return;
  }
  auto* to = std::get_if<Record>(&place);
  auto* from = std::get_if<Record>(&value);
  if (!to || !from || !same_type(*to->type, *from->type)) {
    error(ErrorKind::Type, range,
          fmt::format("{} cannot be assigned to {}", describe_item(value), describe_item(place)));
    return;
  }
  for (size_t i = 0; i < to->members.size(); ++i) store_item(to->members[i], from->members[i], range, false);
}

}  // namespace qd::frontend
