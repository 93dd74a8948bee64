// Arrays and fields: their shapes, and the places of their elements.
#include "runtime/frontend/memory/arrays.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/memory/bounds_checks.h"
#include "runtime/frontend/values/conversion.h"

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

/// The indices of an element as numbers, checked once: an element of an array of structs has them in the array of
/// each member. Nothing after an error.
std::optional<std::vector<ir::InstId>> element_indices(Compilation& c, const Item& array,
                                                       const std::vector<Item>& indices, const Expr& slice,
                                                       const Range& range);

}  // namespace

std::optional<uint32_t> array_index(Compilation& c, const Item& item) {
  if (auto* ref = std::get_if<ArrayRef>(&item)) return ref->index;
  auto* field = known_as<HostField>(item);
  if (!field) return std::nullopt;
  return c.captures.array_of(field->whole ? *field->whole : *field);
}

namespace {

const std::vector<int32_t>& element_shape_of(const Item& array) {
  if (auto* ref = std::get_if<ArrayRef>(&array)) return ref->element_shape;
  return std::get<HostField>(std::get<Value>(array)).element_shape;
}

}  // namespace

Item shape_of(Compilation& c, const Item& array) {
  Items shape;
  if (auto* record = std::get_if<Record>(&array)) return shape_of(c, record->members.at(0));
  if (auto* shared = std::get_if<SharedArray>(&array)) return shape_of_shared(*shared);
  if (auto* ref = std::get_if<ArrayRef>(&array)) {
    for (int32_t axis = 0; axis < c.kernel.arrays[ref->index].rank; ++axis) {
      shape.list.push_back(
          Number{c.build.inst(ir::Op::Shape, Type::I32, {}, ref->index, static_cast<uint64_t>(axis)), Type::I32});
    }
  } else {
    for (int32_t extent : std::get<HostField>(std::get<Value>(array)).shape)
      shape.list.push_back(Value(int64_t{extent}));
  }
  return shape;
}

std::optional<ir::Type> index_type(Compilation& c, const Item& item, const Range& range) {
  auto type = number_type(c, item, range);
  if (!type || ir::is_integer(*type)) return type;
  c.report.error(ErrorKind::Type, range, fmt::format("indices must be integers, not {}", ir::name(*type)));
  return std::nullopt;
}

std::optional<InstId> index_operand(Compilation& c, const Item& item, const ir::Array& array, size_t axis,
                                    int32_t first, bool clamp, const Range& range) {
  auto type = index_type(c, item, range);
  if (!type) return std::nullopt;
  auto* value = std::get_if<Value>(&item);
  auto known = value ? as_integer(*value) : std::nullopt;
  if (value && !known && !clamp) {
    c.report.error(ErrorKind::Index, range, fmt::format("index {} is out of range", to_text(*value)));
    return std::nullopt;
  }
  // Behind a condition a constant that is out of range is reported when it is used: `n > 3 and x[3] > 0`.
  const bool always = c.build.at_top_level();
  if (known && *known < 0 && first == 0 && !clamp && always) {
    c.report.error(ErrorKind::Index, range, "negative indices are not supported");
    return std::nullopt;
  }
  if (known && always && !array.shape.empty() && (*known < first || *known - first >= array.shape[axis])) {
    const std::string from = first == 0 ? "" : fmt::format(" from {} on", first);
    c.report.error(ErrorKind::Index, range,
                   fmt::format("index {} is out of range: axis {} of {} has {}{}", *known, axis, name_of(array),
                               counted(array.shape[axis], "element"), from));
    return std::nullopt;
  }
  if (*type == Type::U64 && !clamp && !value) return coerce(c, item, Type::U64, range);
  const auto operand = coerce(c, item, is_wide(*type) ? Type::I64 : Type::I32, range);
  if (*type != Type::U64 || !operand) return operand;
  // A number beyond i64 is beyond the end of the axis as well.
  const InstId last = c.build.constant(Type::I64, Value(INT64_MAX)),
               none = c.build.constant(Type::I64, Value(int64_t{0}));
  return c.build.select(c.build.compare(ir::CompareOp::Lt, *operand, none), last, *operand);
}

Item element_place(Compilation& c, const Item& array, const std::vector<Item>& list, const Expr& slice,
                   const Range& range) {
  if (auto* shared = std::get_if<SharedArray>(&array)) return shared_element(c, *shared, list, slice, range);
  auto indices = element_indices(c, array, list, slice, range);
  return indices ? element_at(c, array, *indices) : Item(Poison{});
}

namespace {

std::optional<std::vector<InstId>> element_indices(Compilation& c, const Item& array, const std::vector<Item>& list,
                                                   const Expr& slice, const Range& range) {
  if (auto* record = std::get_if<Record>(&array)) return element_indices(c, record->members.at(0), list, slice, range);
  uint32_t index = *array_index(c, array);
  auto* several = std::get_if<syntax::Tuple>(&slice.node);
  const ir::Array info = c.kernel.arrays[index];
  auto* field = known_as<HostField>(array);
  auto* ref = std::get_if<ArrayRef>(&array);
  const bool clamp = ref && ref->clamp;
  if (static_cast<int32_t>(list.size()) != info.rank) {
    c.report.error(ErrorKind::Index, range,
                   fmt::format("{} has {}, but {} given", name_of(info), counted(info.rank, "axis"),
                               counted_are(list.size(), "index")));
    return std::nullopt;
  }
  std::vector<InstId> operands;
  bool failed = false;
  for (size_t axis = 0; axis < list.size(); ++axis) {
    const Range& where = several && several->elts.size() == list.size() ? several->elts[axis]->range : slice.range;
    auto operand = index_operand(c, list[axis], info, axis, field ? field->first_index(axis) : 0, clamp, where);
    failed |= !operand;
    if (operand) operands.push_back(*operand);
  }
  if (failed) return std::nullopt;
  if (clamp) {
    clamp_indices(c, index, operands);
  } else {
    check_indices(c, index, operands, field ? field->offset : std::vector<int32_t>(), range);
  }
  for (size_t axis = 0; axis < operands.size(); ++axis) {
    if (c.kernel[operands[axis]].type == Type::U64) operands[axis] = c.build.cast(Type::I64, operands[axis]);
    if (!field || field->first_index(axis) == 0) continue;
    const Type type = c.kernel[operands[axis]].type;
    operands[axis] = c.build.binary(ir::BinaryOp::Sub, operands[axis],
                                    c.build.constant(type, Value(int64_t{field->first_index(axis)})));
  }
  return operands;
}

}  // namespace

void clamp_indices(Compilation& c, uint32_t array, std::span<InstId> indices) {
  for (uint32_t axis = 0; axis < indices.size(); ++axis) {
    if (surely_inside(c, indices[axis], array, axis, 0)) continue;
    const Type type = c.kernel[indices[axis]].type;
    InstId extent = c.build.cast(type, c.build.inst(ir::Op::Shape, Type::I32, {}, array, axis));
    InstId last = c.build.binary(ir::BinaryOp::Sub, extent, c.build.constant(type, Value(int64_t{1})));
    InstId below = c.build.binary(ir::BinaryOp::Min, indices[axis], last);
    indices[axis] = c.build.binary(ir::BinaryOp::Max, below, c.build.constant(type, Value(int64_t{0})));
  }
}

Item element_at(Compilation& c, const Item& array, std::vector<InstId> operands) {
  if (auto* record = std::get_if<Record>(&array)) {
    Record element{record->type, {}, false};
    for (const Item& member : record->members) element.members.push_back(element_at(c, member, operands));
    return element;
  }
  uint32_t index = *array_index(c, array);
  const ir::Array info = c.kernel.arrays[index];
  const std::vector<int32_t>& shape = element_shape_of(array);
  auto* field = known_as<HostField>(array);
  if (field && field->whole && info.layout.components > 1)
    operands.push_back(c.build.constant(Type::I32, Value(int64_t{field->component})));
  if (shape.empty()) return NumberPlace{c.build.inst(ir::Op::ElementPtr, info.type, operands, index), info.type, true};
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
