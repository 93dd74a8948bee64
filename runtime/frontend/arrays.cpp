// Arrays and fields: their shapes, and the places of their elements.
#include <fmt/format.h>

#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Expr;
using syntax::Range;

namespace {

/// An array in a message. A field has a name only when it was given one.
std::string name_of(const ir::Array& array) {
  return array.name.empty() ? "the field" : fmt::format("`{}`", array.name);
}

}  // namespace

std::optional<uint32_t> Lowering::array_index(const Item& item) {
  if (auto* ref = std::get_if<ArrayRef>(&item)) return ref->index;
  auto* value = std::get_if<Value>(&item);
  auto* field = value ? std::get_if<Field>(value) : nullptr;
  if (!field) return std::nullopt;
  auto [it, fresh] = fields_.try_emplace(field->id, static_cast<uint32_t>(kernel_.arrays.size()));
  if (fresh) {
    kernel_.arrays.push_back({ir::Array::Kind::Field, field->name, field->type,
                              static_cast<int32_t>(field->shape.size()), field->shape, field->id, field->layout});
  }
  return it->second;
}

bool Lowering::is_array(const Item& item) {
  auto* value = std::get_if<Value>(&item);
  auto* record = std::get_if<Record>(&item);
  return std::holds_alternative<ArrayRef>(item) || (value && std::holds_alternative<Field>(*value)) ||
         (record && record->is_array);
}

const std::vector<int32_t>& Lowering::element_shape_of(const Item& array) {
  if (auto* ref = std::get_if<ArrayRef>(&array)) return ref->element_shape;
  return std::get<Field>(std::get<Value>(array)).element_shape;
}

Item Lowering::shape_of(const Item& array) {
  Items shape;
  if (auto* record = std::get_if<Record>(&array)) return shape_of(record->members.at(0));
  if (auto* ref = std::get_if<ArrayRef>(&array)) {
    for (int32_t axis = 0; axis < kernel_.arrays[ref->index].rank; ++axis) {
      shape.list.push_back(
          Number{build_.inst(ir::Op::Shape, Type::I32, {}, ref->index, static_cast<uint64_t>(axis)), Type::I32});
    }
  } else {
    for (int32_t extent : std::get<Field>(std::get<Value>(array)).shape) shape.list.push_back(Value(int64_t{extent}));
  }
  return shape;
}

std::optional<InstId> Lowering::index_operand(const Item& item, const ir::Array& array, size_t axis, int32_t first,
                                              bool clamp, const Range& range) {
  auto type = number_type(item, range);
  if (!type) return std::nullopt;
  if (!ir::is_integer(*type)) {
    error(ErrorKind::Type, range, fmt::format("an index must be an integer, not {}", ir::name(*type)));
    return std::nullopt;
  }
  auto* value = std::get_if<Value>(&item);
  auto known = value ? as_integer(*value) : std::nullopt;
  if (value && !known && !clamp) {
    error(ErrorKind::Index, range, fmt::format("index {} is out of range", to_text(*value)));
    return std::nullopt;
  }
  if (known && *known < 0 && first == 0 && !clamp) {
    error(ErrorKind::Index, range, "negative indices are not supported");
    return std::nullopt;
  }
  if (known && !array.shape.empty() && (*known < first || *known - first >= array.shape[axis])) {
    const std::string from = first == 0 ? "" : fmt::format(" from {} on", first);
    error(ErrorKind::Index, range,
          fmt::format("index {} is out of range: axis {} of {} has {} elements{}", *known, axis, name_of(array),
                      array.shape[axis], from));
    return std::nullopt;
  }
  bool wide = ir::bit_width(*type) == 64 || *type == Type::U32;
  return coerce(item, wide ? Type::I64 : Type::I32, range);
}

namespace {

void flatten(const Item& item, std::vector<Item>& list) {
  if (auto* tensor = std::get_if<Tensor>(&item)) {
    for (InstId id : tensor->numbers) list.push_back(Number{id, tensor->type});
    return;
  }
  if (auto* items = std::get_if<Items>(&item)) {
    for (const Item& part : items->list) flatten(part, list);
    return;
  }
  auto* value = std::get_if<Value>(&item);
  if (auto* tuple = value ? std::get_if<Tuple>(value) : nullptr) {
    for (const Value& part : tuple->items) flatten(part, list);
    return;
  }
  if (auto* tensor = value ? std::get_if<ConstantTensor>(value) : nullptr) {
    for (const Value& part : tensor->numbers) list.push_back(part);
    return;
  }
  list.push_back(item);
}

// A list or a dict, in brackets or braces.
bool is_list(const Item& item) {
  auto* items = std::get_if<Items>(&item);
  if (items) return items->is_list || !items->keys.empty();
  auto* value = std::get_if<Value>(&item);
  auto* tuple = value ? std::get_if<Tuple>(value) : nullptr;
  return (tuple && tuple->is_list) || (value && std::holds_alternative<Dict>(*value));
}

}  // namespace

std::optional<std::vector<Item>> Lowering::index_list(const Expr& slice) {
  std::vector<Item> list;
  if (auto* constant = std::get_if<syntax::Constant>(&slice.node);
      !constant || constant->kind != syntax::ConstantKind::None) {
    Item index = eval(slice);
    if (is_list(index)) {
      error(ErrorKind::Type, slice.range,
            fmt::format("an index is a number, a vector, or a tuple of numbers, not {}", describe_item(index)));
      return std::nullopt;
    }
    flatten(index, list);
  }
  for (const Item& item : list) {
    if (poisoned(item)) return std::nullopt;
  }
  return list;
}

Item Lowering::element_place(const Item& array, const std::vector<Item>& list, const Expr& slice, const Range& range) {
  auto indices = element_indices(array, list, slice, range);
  return indices ? element_at(array, *indices) : Item(Poison{});
}

std::optional<std::vector<InstId>> Lowering::element_indices(const Item& array, const std::vector<Item>& list,
                                                             const Expr& slice, const Range& range) {
  if (auto* record = std::get_if<Record>(&array)) return element_indices(record->members.at(0), list, slice, range);
  uint32_t index = *array_index(array);
  auto* several = std::get_if<syntax::Tuple>(&slice.node);
  const ir::Array info = kernel_.arrays[index];
  auto* value = std::get_if<Value>(&array);
  auto* field = value ? std::get_if<Field>(value) : nullptr;
  auto* ref = std::get_if<ArrayRef>(&array);
  const bool clamp = ref && ref->clamp;
  if (static_cast<int32_t>(list.size()) != info.rank) {
    error(ErrorKind::Index, range,
          fmt::format("{} has {} {}, but {} given", name_of(info), info.rank, info.rank == 1 ? "axis" : "axes",
                      list.size() == 1 ? "1 index is" : fmt::format("{} indices are", list.size())));
    return std::nullopt;
  }
  std::vector<InstId> operands;
  bool failed = false;
  for (size_t axis = 0; axis < list.size(); ++axis) {
    const Range& where = several && several->elts.size() == list.size() ? several->elts[axis]->range : slice.range;
    auto operand = index_operand(list[axis], info, axis, field ? field->first_index(axis) : 0, clamp, where);
    failed |= !operand;
    if (operand) operands.push_back(*operand);
  }
  if (failed) return std::nullopt;
  if (clamp) {
    clamp_indices(index, operands);
  } else {
    check_indices(index, operands, field ? field->offset : std::vector<int32_t>(), range);
  }
  for (size_t axis = 0; axis < operands.size(); ++axis) {
    if (!field || field->first_index(axis) == 0) continue;
    const Type type = kernel_[operands[axis]].type;
    operands[axis] =
        build_.binary(ir::BinaryOp::Sub, operands[axis], constant(type, Value(int64_t{field->first_index(axis)})));
  }
  return operands;
}

void Lowering::clamp_indices(uint32_t array, std::span<InstId> indices) {
  for (uint32_t axis = 0; axis < indices.size(); ++axis) {
    if (surely_inside(indices[axis], array, axis, 0)) continue;
    const Type type = kernel_[indices[axis]].type;
    InstId extent = build_.cast(type, build_.inst(ir::Op::Shape, Type::I32, {}, array, axis));
    InstId last = build_.binary(ir::BinaryOp::Sub, extent, constant(type, Value(int64_t{1})));
    InstId below = build_.binary(ir::BinaryOp::Min, indices[axis], last);
    indices[axis] = build_.binary(ir::BinaryOp::Max, below, constant(type, Value(int64_t{0})));
  }
}

Item Lowering::element_at(const Item& array, std::vector<InstId> operands) {
  if (auto* record = std::get_if<Record>(&array)) {
    Record element{record->type, {}, false};
    for (const Item& member : record->members) element.members.push_back(element_at(member, operands));
    return element;
  }
  uint32_t index = *array_index(array);
  const ir::Array info = kernel_.arrays[index];
  const std::vector<int32_t>& shape = element_shape_of(array);
  if (shape.empty()) return NumberPlace{build_.inst(ir::Op::ElementPtr, info.type, operands, index), info.type, true};
  TensorPlace place;
  place.type = info.type;
  place.shape = shape;
  place.shared = true;
  auto* ref = std::get_if<ArrayRef>(&array);
  place.clamp = ref && ref->clamp;
  place.array = index;
  place.indices = std::move(operands);
  for (int32_t i = 0; i < info.layout.components; ++i) place.components.push_back({i, InstId::None});
  return place;
}

}  // namespace qd::frontend
