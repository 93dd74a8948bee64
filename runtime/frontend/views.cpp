// BufferViews: a part of an array of one axis, as the array, an offset and a size. Nothing of a view is memory of its
// own.
#include <fmt/format.h>

#include <array>

#include "runtime/frontend/kernel_scope.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Type;
using syntax::Expr;
using syntax::Range;

Item Lowering::view_attribute(const View& view, std::string_view name, const Range& range) {
  if (name == "size") return Number{view.size, Type::I32};
  if (name == "offset") return Number{view.offset, Type::I32};
  if (name == "shape") return Items{{Number{view.size, Type::I32}}};
  if (name == "dtype") return Value(kernel_.arrays[view.array.index].type);
  if (name == "ndim") return Value(int64_t{1});
  if (name == "arr") return view.array;
  return error(ErrorKind::Name, range, fmt::format("a BufferView has no attribute `{}` in kernels", name));
}

std::optional<InstId> Lowering::view_number(const Item& item, const Range& range) {
  auto type = number_type(item, range);
  if (!type) return std::nullopt;
  if (!ir::is_integer(*type)) {
    error(ErrorKind::Type, range,
          fmt::format("the offset and the size of a BufferView are integers, not {}", ir::name(*type)));
    return std::nullopt;
  }
  return coerce(item, Type::I32, range);
}

bool Lowering::known_negative(const Item& item, const Range& range) {
  auto* value = std::get_if<Value>(&item);
  if (!value || !is_number(*value) || as_double(*value) >= 0) return false;
  error(ErrorKind::Index, range,
        "negative bounds, offsets and sizes of a BufferView are not supported: they count from its start");
  return true;
}

// No part begins before what it is a part of. Debug mode stops the launch instead.
InstId Lowering::not_negative(InstId number) {
  if (options_.debug || kernel_[number].op == ir::Op::Const) return number;
  return build_.binary(BinaryOp::Max, number, constant(Type::I32, Value(int64_t{0})));
}

// A bound of a slice, where it lies in what is cut: as Python has it.
InstId Lowering::clipped(InstId bound, InstId end) {
  if (options_.debug || bound == end || (kernel_[bound].op == ir::Op::Const && kernel_[bound].integer() == 0))
    return bound;
  return not_negative(build_.binary(BinaryOp::Min, bound, end));
}

Item Lowering::view_part(const View& view, InstId offset, InstId size, const Range& range) {
  check_part(offset, size, view.size, PartOf::View, range);
  return View{view.array, build_.binary(BinaryOp::Add, view.offset, offset), size};
}

Item Lowering::view_slice(const View& view, const syntax::Slice& slice, const Range& range) {
  if (slice.step)
    return error(ErrorKind::Syntax, slice.step->range,
                 "a slice of a BufferView has no explicit step in a kernel: write view[a:b]");
  InstId begin = InstId::None;
  InstId end = view.size;
  if (slice.lower) {
    Item item = eval(*slice.lower);
    auto number = view_number(item, slice.lower->range);
    if (!number || known_negative(item, slice.lower->range)) return Poison{};
    begin = clipped(*number, view.size);
  } else {
    begin = constant(Type::I32, Value(int64_t{0}));
  }
  if (slice.upper) {
    Item item = eval(*slice.upper);
    auto number = view_number(item, slice.upper->range);
    if (!number || known_negative(item, slice.upper->range)) return Poison{};
    end = clipped(*number, view.size);
  }
  return view_part(view, begin, not_negative(build_.binary(BinaryOp::Sub, end, begin)), range);
}

Item Lowering::view_subscript(const View& view, const Expr& slice, const Range& range) {
  if (auto* cut = std::get_if<syntax::Slice>(&slice.node)) return view_slice(view, *cut, range);
  auto list = index_list(slice);
  if (!list) return Poison{};
  if (list->size() != 1)
    return error(ErrorKind::Index, range,
                 fmt::format("a BufferView has 1 axis, but {} indices are given", list->size()));
  auto index = index_operand((*list)[0], kernel_.arrays[view.array.index], 0, 0, view.array.clamp, slice.range);
  if (!index) return Poison{};
  if (!view.array.clamp) check_view_index(view, *index, range);
  const Type type = kernel_[*index].type;
  std::vector<InstId> operands{build_.binary(BinaryOp::Add, build_.cast(type, view.offset), *index)};
  if (view.array.clamp) {
    clamp_indices(view.array.index, operands);
  } else if (!options_.debug) {
    check_indices(view.array.index, operands, {}, range);
  }
  return element_at(view.array, std::move(operands));
}

// The arguments of `subview(offset, size)` and `BufferView(arr, offset, size)`, by position or by name.
std::optional<std::vector<Item>> Lowering::view_arguments(const syntax::Call& e, const Range& range,
                                                          std::string_view what,
                                                          std::span<const std::string_view> names) {
  std::vector<Item> given = std::get<Items>(display(e.args)).list;
  std::vector<Item> items(names.size(), Item(Poison{}));
  std::vector<bool> set(names.size());
  bool good = given.size() <= names.size();
  for (size_t i = 0; good && i < given.size(); ++i) {
    items[i] = std::move(given[i]);
    set[i] = true;
  }
  for (const syntax::Keyword& keyword : e.keywords) {
    size_t i = 0;
    while (i < names.size() && (names[i] != keyword.arg || set[i])) ++i;
    Item value = eval(*keyword.value);
    good = good && i < names.size();
    if (!good) break;
    items[i] = std::move(value);
    set[i] = true;
  }
  for (size_t i = 0; good && i < set.size(); ++i) good = set[i];
  if (!good) {
    error(ErrorKind::Type, range,
          fmt::format("`{}` takes {} arguments: {}", what, names.size(), fmt::join(names, ", ")));
    return std::nullopt;
  }
  for (const Item& item : items) {
    if (poisoned(item)) return std::nullopt;
  }
  return items;
}

Item Lowering::subview(const View& view, const syntax::Call& e, const Range& range) {
  constexpr std::array<std::string_view, 2> kNames{"offset", "size"};
  auto items = view_arguments(e, range, "subview", kNames);
  if (!items) return Poison{};
  auto offset = view_number((*items)[0], range);
  auto size = view_number((*items)[1], range);
  if (!offset || !size || known_negative((*items)[0], range) || known_negative((*items)[1], range)) return Poison{};
  return view_part(view, not_negative(*offset), not_negative(*size), range);
}

Item Lowering::make_view(const syntax::Call& e, const Range& range) {
  constexpr std::array<std::string_view, 3> kNames{"arr", "offset", "size"};
  auto items = view_arguments(e, range, "BufferView", kNames);
  if (!items) return Poison{};
  auto* array = std::get_if<ArrayRef>(&(*items)[0]);
  if (std::holds_alternative<View>((*items)[0])) {
    return error(ErrorKind::Type, range,
                 "BufferView takes an ndarray, not another BufferView: use view.subview(offset, size) or view[a:b]");
  }
  if (!array)
    return error(ErrorKind::Type, range,
                 fmt::format("BufferView takes an ndarray, not {}", describe_item((*items)[0])));
  if (int32_t rank = kernel_.arrays[array->index].rank; rank != 1) {
    return error(ErrorKind::Type, range, fmt::format("BufferView takes a 1D ndarray, not one of {} dimensions", rank));
  }
  auto offset = view_number((*items)[1], range);
  auto size = view_number((*items)[2], range);
  if (!offset || !size || known_negative((*items)[1], range) || known_negative((*items)[2], range)) return Poison{};
  const InstId whole = build_.inst(ir::Op::Shape, Type::I32, {}, array->index, 0);
  check_part(*offset, *size, whole, PartOf::Ndarray, range);
  return View{*array, not_negative(*offset), not_negative(*size)};
}

std::optional<ViewAnnotation> read_view_annotation(const Value& value) {
  auto* tuple = std::get_if<Tuple>(&value);
  auto* builtin = std::get_if<Builtin>(tuple && tuple->items.size() == 2 ? &tuple->items[0] : &value);
  if (!builtin || builtin->name != "BufferView") return std::nullopt;
  ViewAnnotation result;
  if (!tuple) return result;
  if (auto* type = std::get_if<ir::Type>(&tuple->items[1])) {
    result.type = *type;
    result.element_shape = std::vector<int32_t>();
  }
  if (auto* element = std::get_if<CompoundType>(&tuple->items[1]); element && !element->structure) {
    result.type = element->type;
    result.element_shape = element->shape;
  }
  return result;
}

}  // namespace qd::frontend
