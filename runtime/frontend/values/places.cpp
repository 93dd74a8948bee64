// Places: variables, elements, components and members that can be loaded and stored.
#include "runtime/frontend/values/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Range;

namespace {

void fill_place(Compilation& c, const Item& place, const Item& value);

/// The number at a place: a constant for derivatives behind qd.stop_grad of its array.
InstId load(Compilation& c, InstId pointer) {
  const InstId number = c.build.load(pointer);
  const ir::Inst& place = c.kernel[pointer];
  const bool stopped = place.op == Op::ElementPtr && std::ranges::find(c.stopped, place.aux) != c.stopped.end();
  return stopped && ir::is_float(place.type) ? c.build.inst(Op::StopGrad, place.type, {number}) : number;
}

}  // namespace

Item loaded(Compilation& c, Item item) {
  if (auto* number = std::get_if<NumberPlace>(&item)) return Number{load(c, number->pointer), number->type};
  if (auto* place = std::get_if<TensorPlace>(&item)) {
    Tensor tensor{place->type, place->shape, {}};
    for (size_t i = 0; i < place->components.size(); ++i) tensor.numbers.push_back(load(c, pointer_to(c, *place, i)));
    return tensor;
  }
  if (auto* record = std::get_if<Record>(&item); record && !record->is_array) {
    for (Item& member : record->members) member = loaded(c, std::move(member));
  }
  return item;
}

InstId pointer_to(Compilation& c, const TensorPlace& place, size_t i) {
  const Component& component = place.components[i];
  const bool alone =
      place.local != InstId::None ? place.local_size == 1 : c.kernel.arrays[place.array].layout.components == 1;
  if (alone && place.local != InstId::None) return place.local;
  InstId index = alone ? InstId::None : component.index;
  if (!alone && index == InstId::None) index = c.build.constant(Type::I32, Value(int64_t{component.known}));
  if (place.local != InstId::None) return c.build.inst(Op::LocalPtr, place.type, {place.local, index});
  std::vector<InstId> operands = place.indices;
  if (!alone) operands.push_back(index);
  return c.build.inst(Op::ElementPtr, place.type, operands, place.array);
}

Item empty_place(Compilation& c, const Item& value, bool shared) {
  if (auto* tensor = std::get_if<Tensor>(&value)) {
    TensorPlace place;
    place.type = tensor->type;
    place.shape = tensor->shape;
    place.shared = shared;
    place.local_size = static_cast<int32_t>(tensor->numbers.size());
    place.local =
        c.build.inst(Op::Alloca, tensor->type, {}, 0, tensor->numbers.size() == 1 ? 0 : tensor->numbers.size());
    for (int32_t i = 0; i < place.local_size; ++i) place.components.push_back({i, InstId::None});
    return place;
  }
  if (auto* record = std::get_if<Record>(&value); record && !record->is_array) {
    Record places{record->type, {}, false};
    for (const Item& member : record->members) places.members.push_back(empty_place(c, member, shared));
    return places;
  }
  if (is_a_number(value)) {
    auto* number = std::get_if<Number>(&value);
    Type type = number ? number->type : type_of_value(c, std::get<Value>(value));
    return NumberPlace{c.build.variable(type), type, shared};
  }
  return value;  // arrays and values known at compile time have no place
}

Item new_place(Compilation& c, const Item& value, bool shared) {
  Item place = empty_place(c, value, shared);
  fill_place(c, place, value);
  return place;
}

namespace {

// Stores a value into a place without conversion: the types are the same.
void fill_place(Compilation& c, const Item& place, const Item& value) {
  if (auto* to = std::get_if<TensorPlace>(&place)) {
    const Tensor& tensor = std::get<Tensor>(value);
    for (size_t i = 0; i < tensor.numbers.size(); ++i) c.build.store(pointer_to(c, *to, i), tensor.numbers[i]);
  } else if (auto* record = std::get_if<Record>(&place); record && !record->is_array) {
    for (size_t i = 0; i < record->members.size(); ++i)
      fill_place(c, record->members[i], std::get<Record>(value).members[i]);
  } else if (auto* number = std::get_if<NumberPlace>(&place)) {
    auto* own = std::get_if<Number>(&value);
    c.build.store(number->pointer, own ? own->id : c.build.constant(number->type, std::get<Value>(value)));
  }
}

}  // namespace

CompoundVariable new_variable(Compilation& c, const Item& value) {
  return {std::make_shared<const Item>(new_place(c, value, false)), !c.function().in_parallel};
}

Item as_shared(Compilation& c, Item place, bool shared) {
  if (auto* number = std::get_if<NumberPlace>(&place)) number->shared = shared;
  if (auto* tensor = std::get_if<TensorPlace>(&place)) tensor->shared = shared;
  if (auto* record = std::get_if<Record>(&place)) {
    for (Item& member : record->members) member = as_shared(c, std::move(member), shared);
  }
  return place;
}

void store_item(Compilation& c, const Item& place, const Item& value, const Range& range, bool broadcast) {
  if (poisoned(place) || poisoned(value)) return;
  if (auto* number = std::get_if<NumberPlace>(&place)) {
    if (auto id = coerce_stored(c, value, number->type, range)) c.build.store(number->pointer, *id);
    return;
  }
  if (auto* to = std::get_if<TensorPlace>(&place)) {
    const bool number = is_a_number(value);
    if (number && broadcast) {
      auto id = coerce_stored(c, value, to->type, range);
      for (size_t i = 0; id && i < to->components.size(); ++i) c.build.store(pointer_to(c, *to, i), *id);
      return;
    }
    auto tensor = number ? std::nullopt : as_tensor(c, value, range);
    if (!tensor) {
      c.report.error(ErrorKind::Type, range,
                     fmt::format("{} cannot be assigned to {}", describe_item(c, value), describe_item(c, place)));
    } else if (tensor->shape != to->shape) {
      c.report.error(ErrorKind::Type, range,
                     fmt::format("{} cannot be assigned to {}", describe_item(c, *tensor), describe_item(c, place)));
    } else {
      for (size_t i = 0; i < to->components.size(); ++i) {
        if (auto id = coerce_stored(c, component_item(*tensor, i), to->type, range))
          c.build.store(pointer_to(c, *to, i), *id);
      }
    }
    return;
  }
  auto* to = std::get_if<Record>(&place);
  auto* from = std::get_if<Record>(&value);
  if (!to || !from || !same_type(*to->type, *from->type)) {
    c.report.error(ErrorKind::Type, range,
                   fmt::format("{} cannot be assigned to {}", describe_item(c, value), describe_item(c, place)));
    return;
  }
  for (size_t i = 0; i < to->members.size(); ++i) store_item(c, to->members[i], from->members[i], range, false);
}

}  // namespace qd::frontend
