// Subscripts: elements of arrays, vectors, matrices, views and containers, and slices of them.
#include "runtime/frontend/expressions/expressions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/expressions/object_operators.h"
#include "runtime/frontend/expressions/tiles.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/memory/bounds_checks.h"
#include "runtime/frontend/memory/views.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::Range;

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
  if (auto* tuple = known_as<Tuple>(item)) {
    for (const Value& part : tuple->items) flatten(part, list);
    return;
  }
  if (auto* tensor = known_as<ConstantTensor>(item)) {
    for (const Value& part : tensor->numbers) list.push_back(part);
    return;
  }
  list.push_back(item);
}

bool is_dict(const Item& item) {
  auto* items = std::get_if<Items>(&item);
  return (items && !items->keys.empty()) || known_as<Dict>(item);
}

Item element_of(Compilation& c, const Items& items, const Expr& slice, const Range& range);
Item tensor_subscript(Compilation& c, const Item& tensor, const Expr& slice, const Range& range);
Item view_slice(Compilation& c, const View& view, const syntax::Slice& slice, const Range& range);
Item view_subscript(Compilation& c, const View& view, const Expr& slice, const Range& range);

/// The indices between the brackets, vectors, tuples and lists as their parts; nothing after an error.
std::optional<std::vector<Item>> index_list(Compilation& c, const Expr& slice) {
  std::vector<Item> list;
  if (auto* constant = std::get_if<syntax::Constant>(&slice.node);
      !constant || constant->kind != syntax::ConstantKind::None) {
    Item index = evaluate(c, slice);
    if (is_dict(index)) {
      c.report.error(
          ErrorKind::Type, slice.range,
          fmt::format("an index is a number, a vector, or a tuple of numbers, not {}", describe_item(c, index)));
      return std::nullopt;
    }
    flatten(index, list);
  }
  for (const Item& item : list) {
    if (poisoned(item)) return std::nullopt;
  }
  return list;
}

Item item_slice(Compilation& c, const Item& item, const syntax::Slice& slice, const Range& range) {
  auto bound = [&](syntax::ExprPtr at) { return at ? static_value(c, *at) : Item(Value(None{})); };
  Item lower = bound(slice.lower), upper = bound(slice.upper), step = bound(slice.step);
  if (poisoned(lower) || poisoned(upper) || poisoned(step)) return Poison{};
  const Value &from = std::get<Value>(lower), &to = std::get<Value>(upper), &by = std::get<Value>(step);
  if (auto* items = std::get_if<Items>(&item); items && items->keys.empty()) {
    auto positions = slice_positions(items->list.size(), from, to, by);
    if (!positions)
      return c.report.error(ErrorKind::Type, range, "the bounds of a slice are integers, and its step is not 0");
    Items part;
    part.is_list = items->is_list;
    for (size_t i : *positions) part.list.push_back(items->list[i]);
    return part;
  }
  auto* value = std::get_if<Value>(&item);
  Outcome part = value ? frontend::slice(*value, from, to, by)
                       : Outcome::failed(fmt::format("{} has no slices", describe_item(c, item)));
  if (!part.value) return c.report.error(ErrorKind::Type, range, std::move(part.error));
  return Item(std::move(*part.value));
}

// s["mass"] of a struct: its member of that name, as of an attribute.
Item member_of(Compilation& c, const Item& object, const Expr& slice, const Range& range) {
  const Item index = static_value(c, slice);
  if (poisoned(index)) return Poison{};
  const auto& record = std::get<Record>(object);
  auto* name = known_as<std::string>(index);
  if (!name)
    return c.report.error(ErrorKind::Type, range, fmt::format("{} cannot be indexed", describe_item(c, object)));
  if (auto member = record.type->index(*name)) return record.members[*member];
  return c.report.error(ErrorKind::Name, range, fmt::format("{} has no member `{}`", describe_item(c, object), *name));
}

// The size of one axis of a shape, without the others.
Item axis_of(Compilation& c, const ArrayRef& array, const Expr& slice) {
  Item index = static_value(c, slice);
  if (poisoned(index)) return Poison{};
  auto axis = as_integer(std::get<Value>(index));
  int32_t rank = c.kernel.arrays[array.index].rank;
  if (axis && *axis < 0) *axis += rank;
  if (!axis || *axis < 0 || *axis >= rank) {
    return c.report.error(ErrorKind::Index, slice.range,
                          fmt::format("{} has {}", describe_item(c, array), counted(rank, "axis")));
  }
  return Number{c.build.inst(ir::Op::Shape, Type::I32, {}, array.index, static_cast<uint64_t>(*axis)), Type::I32};
}

}  // namespace

Item lower_subscript(Compilation& c, const syntax::Subscript& e, const Expr& expr) {
  if (auto* attribute = std::get_if<syntax::Attribute>(&e.value->node); attribute && attribute->attr == "shape") {
    Item array = evaluate_place(c, *attribute->value);
    if (poisoned(array)) return Poison{};
    if (auto* record = std::get_if<Record>(&array); record && record->is_array) array = record->members.at(0);
    if (auto* ref = std::get_if<ArrayRef>(&array)) return axis_of(c, *ref, *e.slice);
  }
  Item object = evaluate_place(c, *e.value);
  if (poisoned(object)) return Poison{};
  auto* part = std::get_if<syntax::Slice>(&e.slice->node);
  const bool container =
      std::holds_alternative<Items>(object) || (std::holds_alternative<Value>(object) && !known_as<HostObject>(object));
  if (part && container && !is_array(object) && !is_tensor(object)) return item_slice(c, object, *part, expr.range);
  if (auto* items = std::get_if<Items>(&object)) return element_of(c, *items, *e.slice, expr.range);
  if (auto* view = std::get_if<View>(&object)) return view_subscript(c, *view, *e.slice, expr.range);
  if (auto* array = std::get_if<ArrayRef>(&object); array && std::holds_alternative<syntax::Slice>(e.slice->node)) {
    if (c.kernel.arrays[array->index].rank != 1)
      return c.report.error(ErrorKind::Type, expr.range, "a slice makes a BufferView of an ndarray of 1 dimension");
    const View whole{*array, c.build.constant(Type::I32, Value(int64_t{0})),
                     c.build.inst(ir::Op::Shape, Type::I32, {}, array->index, 0)};
    return view_slice(c, whole, std::get<syntax::Slice>(e.slice->node), expr.range);
  }
  if (is_array(object)) {
    if (has_slices(*e.slice)) return column_of_array(c, object, e, expr);
    auto indices = index_list(c, *e.slice);
    return indices ? element_place(c, object, *indices, *e.slice, expr.range) : Item(Poison{});
  }
  if (is_tensor(object)) return tensor_subscript(c, object, *e.slice, expr.range);
  if (!part && special_method(c, object, "__getitem__")) {
    const Item index = evaluate(c, *e.slice);
    if (poisoned(index)) return Poison{};
    if (auto result = object_subscript(c, object, index, expr.range)) return *result;
  }
  if (!part && std::holds_alternative<Record>(object)) return member_of(c, object, *e.slice, expr.range);
  auto* value = std::get_if<Value>(&object);
  if (!value) {
    return c.report.error(ErrorKind::Type, expr.range, fmt::format("{} cannot be indexed", describe_item(c, object)));
  }
  if (std::holds_alternative<HostObject>(*value)) return static_value(c, expr);
  if (std::holds_alternative<None>(*value) || is_number(*value)) {
    if (poisoned(evaluate(c, *e.slice))) return Poison{};
    return c.report.error(ErrorKind::Type, expr.range, fmt::format("{} cannot be indexed", describe_item(c, object)));
  }
  Item index = static_value(c, *e.slice);
  if (poisoned(index)) return Poison{};
  if (known_as<HostObject>(index)) return static_value(c, expr);
  Outcome outcome = frontend::subscript(*value, std::get<Value>(index));
  if (!outcome.value) return c.report.error(ErrorKind::Index, expr.range, std::move(outcome.error));
  return Item(std::move(*outcome.value));
}

namespace {

Item element_of(Compilation& c, const Items& items, const Expr& slice, const Range& range) {
  Item index = static_value(c, slice);
  if (poisoned(index)) return Poison{};
  for (size_t i = 0; i < items.keys.size(); ++i) {
    if (equal(items.keys[i], std::get<Value>(index))) return items.list[i];
  }
  if (!items.keys.empty())
    return c.report.error(ErrorKind::Index, range,
                          fmt::format("the dict has no key {}", representation(std::get<Value>(index))));
  auto position = as_integer(std::get<Value>(index));
  if (!position)
    return c.report.error(ErrorKind::Type, slice.range,
                          "a tuple is indexed by an integer that is known at compile time");
  int64_t size = static_cast<int64_t>(items.list.size());
  int64_t i = *position < 0 ? *position + size : *position;
  if (i < 0 || i >= size) {
    return c.report.error(ErrorKind::Index, range,
                          fmt::format("index {} is out of range: there are {} items", *position, size));
  }
  return items.list[static_cast<size_t>(i)];
}

Item tensor_subscript(Compilation& c, const Item& tensor, const Expr& slice, const Range& range) {
  const std::vector<int32_t> shape = shape_of_tensor(tensor);
  std::vector<const Expr*> parts;
  auto* several = std::get_if<syntax::Tuple>(&slice.node);
  if (several) {
    parts.assign(several->elts.begin(), several->elts.end());
  } else {
    parts = {&slice};
  }
  // For each axis the components along it, and whether the axis stays.
  std::vector<std::vector<Component>> axes;
  std::vector<Component> numbers;  // for each axis without a slice before it
  std::vector<int32_t> result_shape;
  auto whole = [&](int32_t extent) {
    std::vector<Component> all;
    for (int32_t i = 0; i < extent; ++i) all.push_back({i, InstId::None});
    result_shape.push_back(extent);
    axes.push_back(std::move(all));
  };
  auto no_index = [&] {
    return c.report.error(
        ErrorKind::Index, range,
        fmt::format("{} needs an index; None and () are for fields without axes", describe_item(c, tensor)));
  };
  if (parts.empty()) return no_index();
  for (const Expr* part : parts) {
    if (auto* cut = std::get_if<syntax::Slice>(&part->node)) {
      if (axes.size() >= shape.size())
        return c.report.error(ErrorKind::Index, range,
                              fmt::format("{} has {}", describe_item(c, tensor), counted(shape.size(), "axis")));
      const int32_t extent = shape[axes.size()];
      int64_t bounds[3] = {0, extent, 1};
      const Expr* given[3] = {cut->lower, cut->upper, cut->step};
      for (int i = 0; i < 3; ++i) {
        if (!given[i]) continue;
        Item item = static_value(c, *given[i]);
        auto* value = std::get_if<Value>(&item);
        auto known = value ? as_integer(*value) : std::nullopt;
        if (!known)
          return poisoned(item) ? Item(Poison{})
                                : c.report.error(ErrorKind::Type, given[i]->range,
                                                 "the bounds of a slice are integers that are known at compile time");
        bounds[i] = i < 2 && *known < 0 ? *known + extent : *known;
      }
      if (bounds[2] <= 0) return c.report.error(ErrorKind::Index, part->range, "the step of a slice is positive");
      std::vector<Component> chosen;
      for (int64_t i = std::max<int64_t>(bounds[0], 0); i < std::min<int64_t>(bounds[1], extent); i += bounds[2])
        chosen.push_back({static_cast<int32_t>(i), InstId::None});
      if (chosen.empty()) return c.report.error(ErrorKind::Index, part->range, "the slice has no components");
      result_shape.push_back(static_cast<int32_t>(chosen.size()));
      axes.push_back(std::move(chosen));
      continue;
    }
    auto list = index_list(c, *part);
    if (!list) return Poison{};
    if (list->empty()) return no_index();
    for (const Item& index : *list) {
      if (axes.size() >= shape.size()) {
        return c.report.error(
            ErrorKind::Index, range,
            fmt::format("Expected {} indices, got {}: of {}", shape.size(), parts.size(), describe_item(c, tensor)));
      }
      auto component = component_index(c, index, shape[axes.size()], tensor, part->range);
      if (!component) return Poison{};
      if (numbers.size() == axes.size()) numbers.push_back(*component);
      axes.push_back({*component});
    }
  }
  check_components(c, shape, numbers, range);
  for (std::vector<Component>& along : axes) {
    for (Component& one : along) {
      if (one.index != InstId::None) one.index = c.build.cast(Type::I32, one.index);
    }
  }
  while (axes.size() < shape.size()) whole(shape[axes.size()]);
  std::vector<Component> components;
  if (shape.size() == 1) {
    components = axes[0];
  } else {
    auto index_of = [&](const Component& row, const Component& column) -> Component {
      if (row.index == InstId::None && column.index == InstId::None)
        return {row.known * shape[1] + column.known, InstId::None};
      auto id = [&](const Component& at) {
        return at.index != InstId::None ? at.index : c.build.constant(Type::I32, Value(int64_t{at.known}));
      };
      InstId width = c.build.constant(Type::I32, Value(int64_t{shape[1]}));
      InstId begin = c.build.binary(ir::BinaryOp::Mul, id(row), width);
      return {0, c.build.binary(ir::BinaryOp::Add, begin, id(column))};
    };
    for (const Component& row : axes[0]) {
      for (const Component& column : axes[1]) components.push_back(index_of(row, column));
    }
  }
  return select_components(c, tensor, std::move(result_shape), std::move(components));
}

Item view_slice(Compilation& c, const View& view, const syntax::Slice& slice, const Range& range) {
  if (slice.step)
    return c.report.error(
        ErrorKind::Syntax, slice.step->range,
        "a slice of a BufferView has no explicit step (not even step=1) in a kernel: write view[a:b]");
  InstId begin = InstId::None;
  InstId end = view.size;
  if (slice.lower) {
    Item item = evaluate(c, *slice.lower);
    auto number = view_number(c, item, slice.lower->range);
    if (!number || known_negative(c, item, slice.lower->range)) return Poison{};
    begin = clipped(c, *number, view.size);
  } else {
    begin = c.build.constant(Type::I32, Value(int64_t{0}));
  }
  if (slice.upper) {
    Item item = evaluate(c, *slice.upper);
    auto number = view_number(c, item, slice.upper->range);
    if (!number || known_negative(c, item, slice.upper->range)) return Poison{};
    end = clipped(c, *number, view.size);
  }
  if (c.kernel[begin].type != Type::I32 || c.kernel[end].type != Type::I32) {
    begin = c.build.cast(Type::I64, begin);
    end = c.build.cast(Type::I64, end);
  }
  return view_part(c, view, begin, not_negative(c, c.build.binary(BinaryOp::Sub, end, begin)), range);
}

Item view_subscript(Compilation& c, const View& view, const Expr& slice, const Range& range) {
  if (auto* cut = std::get_if<syntax::Slice>(&slice.node)) return view_slice(c, view, *cut, range);
  auto list = index_list(c, slice);
  if (!list) return Poison{};
  if (list->size() != 1)
    return c.report.error(ErrorKind::Index, range,
                          fmt::format("a BufferView has 1 axis, but {} given", counted_are(list->size(), "index")));
  if (!view.array.clamp && known_negative(c, (*list)[0], slice.range)) return Poison{};
  auto index = index_operand(c, (*list)[0], c.kernel.arrays[view.array.index], 0, 0, view.array.clamp, slice.range);
  if (!index) return Poison{};
  if (!view.array.clamp) check_view_index(c, view, *index, range);
  if (c.kernel[*index].type == Type::U64) index = c.build.cast(Type::I64, *index);
  const Type type = c.kernel[*index].type;
  std::vector<InstId> operands{c.build.binary(BinaryOp::Add, c.build.cast(type, view.offset), *index)};
  if (view.array.clamp) {
    clamp_indices(c, view.array.index, operands);
  } else if (!c.options.debug) {
    check_indices(c, view.array.index, operands, {}, range);
  }
  return element_at(c, view.array, std::move(operands));
}

}  // namespace

}  // namespace qd::frontend
