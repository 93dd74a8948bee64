// Arrays of a block: each is a variable with all its numbers; an index becomes a position among them.
#include "runtime/frontend/memory/arrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/text.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

/// An index along an axis, by uncut_index. A constant is compared with the shape at once.
std::optional<InstId> index_along(Compilation& c, const Item& item, const SharedArray& array, size_t axis,
                                  const Range& range) {
  auto type = index_type(c, item, range);
  if (!type) return std::nullopt;
  auto* value = std::get_if<Value>(&item);
  auto known = value ? as_integer(*value) : std::nullopt;
  if (value && (!known || *known < 0 || *known >= array.shape[axis])) {
    c.report.error(ErrorKind::Index, range,
                   fmt::format("index {} is out of range: axis {} of the array has {}", to_text(*value), axis,
                               counted(array.shape[axis], "element")));
    return std::nullopt;
  }
  return uncut_index(c, item, range);
}

void check_inside(Compilation& c, const SharedArray& array, const std::vector<InstId>& indices, const Range& range) {
  if (!c.options.check_out_of_bound) return;
  const ir::Builder::Scope here(c.build, c.build.location_of(range));
  InstId inside = InstId::None;
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    if (c.kernel[indices[axis]].op == Op::Const) continue;
    const InstId fits = is_below(c, indices[axis], array.shape[axis]);
    inside = inside == InstId::None ? fits : c.build.binary(BinaryOp::BitAnd, inside, fits);
  }
  if (inside == InstId::None) return;
  Text text;
  text.add(fmt::format("Accessing SharedArray ({}) of size ({}{}) with indices (", ir::name(array.type),
                       fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : ""));
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    if (axis > 0) text.add(", ");
    text.add_value(Number{indices[axis], c.kernel[indices[axis]].type}, "", range);
  }
  text.add(indices.size() == 1 ? ",): out of bounds" : "): out of bounds");
  add_iteration(c, text, range);
  emit_check(c, Op::Assert, inside, text, range, ir::Format::Kind::Plain);
}

}  // namespace

Item shape_of_shared(const SharedArray& array) {
  Items shape;
  for (int32_t size : array.shape) shape.list.push_back(Value(int64_t{size}));
  return shape;
}

Item shared_element(Compilation& c, const SharedArray& array, const std::vector<Item>& list, const Expr& slice,
                    const Range& range) {
  if (!c.function().in_parallel)
    return c.report.error(ErrorKind::Syntax, range, "an array of the block is used outside of a parallel loop");
  if (list.size() != array.shape.size()) {
    return c.report.error(ErrorKind::Index, range,
                          fmt::format("the array has {}, but {} given", counted(array.shape.size(), "axis"),
                                      counted_are(list.size(), "index")));
  }
  auto* several = std::get_if<syntax::Tuple>(&slice.node);
  std::vector<InstId> indices;
  for (size_t axis = 0; axis < list.size(); ++axis) {
    const Range& where = several && several->elts.size() == list.size() ? several->elts[axis]->range : slice.range;
    auto index = index_along(c, list[axis], array, axis, where);
    if (!index) return Poison{};
    indices.push_back(*index);
  }
  check_inside(c, array, indices, range);
  for (InstId& index : indices) index = c.build.cast(Type::I32, index);
  auto constant = [&](int64_t number) { return c.build.constant(Type::I32, Value(number)); };
  InstId position = indices[0];
  for (size_t axis = 1; axis < indices.size(); ++axis) {
    position = c.build.binary(BinaryOp::Add, c.build.binary(BinaryOp::Mul, position, constant(array.shape[axis])),
                              indices[axis]);
  }
  if (array.element_shape.empty())
    return NumberPlace{c.build.inst(Op::LocalPtr, array.type, {array.place, position}), array.type, true};
  TensorPlace place;
  place.type = array.type;
  place.shape = array.element_shape;
  place.shared = true;
  place.local = array.place;
  int32_t components = 1, elements = 1;
  for (int32_t size : array.element_shape) components *= size;
  for (int32_t size : array.shape) elements *= size;
  place.local_size = components * elements;
  const InstId first = components == 1 ? position : c.build.binary(BinaryOp::Mul, position, constant(components));
  for (int32_t i = 0; i < components; ++i)
    place.components.push_back({i, i == 0 ? first : c.build.binary(BinaryOp::Add, first, constant(i))});
  return place;
}

}  // namespace qd::frontend
