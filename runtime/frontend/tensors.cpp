// Vectors and matrices at run time: their components, and operations on one component after the other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/frontend/elementwise.h"
#include "runtime/frontend/kernel_scope.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::Range;

bool Lowering::is_tensor(const Item& item) {
  auto* value = std::get_if<Value>(&item);
  return std::holds_alternative<Tensor>(item) || std::holds_alternative<TensorPlace>(item) ||
         (value && std::holds_alternative<ConstantTensor>(*value));
}

bool Lowering::is_a_number(const Item& item) {
  auto* known = std::get_if<Value>(&item);
  return std::holds_alternative<Number>(item) || (known && is_number(*known));
}

bool Lowering::is_compound(const Item& item) {
  auto* value = std::get_if<Value>(&item);
  auto* record = std::get_if<Record>(&item);
  return is_tensor(item) || (record && !record->is_array) ||
         (value && std::holds_alternative<ConstantStruct>(*value) && !std::get<ConstantStruct>(*value).is_field);
}

std::optional<Tensor> Lowering::tensor_of(const std::vector<Item>& numbers, std::vector<int32_t> shape,
                                          std::optional<Type> type, const Range& range) {
  if (numbers.size() > ir::kMaxLocalArray) {
    error(
        ErrorKind::Type, range,
        fmt::format(
            "a vector or matrix of {} numbers is too large: {} at most; what is larger belongs into a field or ndarray",
            numbers.size(), ir::kMaxLocalArray));
    return std::nullopt;
  }
  Tensor tensor;
  tensor.shape = std::move(shape);
  const bool given = type.has_value();
  for (const Item& number : numbers) {
    auto own = number_type(number, range);
    if (!own) return std::nullopt;
    if (!given) type = type ? ir::promote(*type, *own) : *own;
  }
  tensor.type = type.value_or(options_.default_fp);
  for (const Item& number : numbers) {
    auto id = coerce(number, tensor.type, range);
    if (!id) return std::nullopt;
    tensor.numbers.push_back(*id);
  }
  return tensor;
}

std::optional<Tensor> Lowering::as_tensor(const Item& item, const Range& range) {
  if (auto* tensor = std::get_if<Tensor>(&item)) return *tensor;
  if (std::holds_alternative<TensorPlace>(item)) return std::get<Tensor>(loaded(item));
  auto* value = std::get_if<Value>(&item);
  if (auto* known = value ? std::get_if<ConstantTensor>(value) : nullptr)
    return std::get<Tensor>(constant_tensor(*known));
  std::vector<Item> rows;
  if (auto* items = std::get_if<Items>(&item); items && items->keys.empty()) rows = items->list;
  if (auto* tuple = value ? std::get_if<Tuple>(value) : nullptr) rows.assign(tuple->items.begin(), tuple->items.end());
  if (rows.empty()) return std::nullopt;
  if (std::ranges::all_of(rows, is_a_number))
    return tensor_of(rows, {static_cast<int32_t>(rows.size())}, std::nullopt, range);
  std::vector<Item> numbers;
  int32_t columns = -1;
  for (const Item& row : rows) {
    if (is_a_number(row) || poisoned(row)) return std::nullopt;
    auto* row_value = std::get_if<Value>(&row);
    std::vector<Item> parts;
    if (auto* items = std::get_if<Items>(&row); items && items->keys.empty()) parts = items->list;
    if (auto* tuple = row_value ? std::get_if<Tuple>(row_value) : nullptr)
      parts.assign(tuple->items.begin(), tuple->items.end());
    if (parts.empty()) {
      auto vector = as_tensor(row, range);
      if (!vector || vector->shape.size() != 1) return std::nullopt;
      for (size_t i = 0; i < vector->numbers.size(); ++i) parts.push_back(component_item(*vector, i));
    }
    if (!std::ranges::all_of(parts, is_a_number) || (columns >= 0 && columns != static_cast<int32_t>(parts.size())))
      return std::nullopt;
    columns = static_cast<int32_t>(parts.size());
    numbers.insert(numbers.end(), parts.begin(), parts.end());
  }
  return tensor_of(numbers, {static_cast<int32_t>(rows.size()), columns}, std::nullopt, range);
}

Item Lowering::convert_tensor(const Tensor& tensor, Type type) {
  Tensor result{type, tensor.shape, {}};
  for (InstId id : tensor.numbers) result.numbers.push_back(build_.cast(type, id));
  return result;
}

// The chosen components, of a place as a place.
Item Lowering::select_components(const Item& item, std::vector<int32_t> shape, std::vector<Component> components) {
  const bool dynamic = std::ranges::any_of(components, [](const Component& c) { return c.index != InstId::None; });
  if (auto* place = std::get_if<TensorPlace>(&item)) {
    TensorPlace part = *place;
    const bool whole = std::ranges::all_of(place->components, [&](const Component& c) {
      return c.index == InstId::None && c.known == &c - place->components.data();
    });
    part.shape = shape;
    part.components.clear();
    for (const Component& c : components) {
      if (c.index == InstId::None) {
        part.components.push_back(place->components[static_cast<size_t>(c.known)]);
      } else if (whole) {
        part.components.push_back(c);
      } else {
        // A part of a part, known at run time only: of the loaded part.
        return select_components(loaded(item), std::move(shape), std::move(components));
      }
    }
    if (!shape.empty()) return part;
    return number_place(part, 0);
  }
  Tensor tensor = *as_tensor(item, {});
  if (dynamic) return loaded(select_components(new_place(tensor, false), std::move(shape), std::move(components)));
  Tensor result{tensor.type, shape, {}};
  for (const Component& c : components) result.numbers.push_back(tensor.numbers[static_cast<size_t>(c.known)]);
  if (!shape.empty()) return result;
  return Number{result.numbers[0], result.type};
}

std::optional<Component> Lowering::component_index(const Item& index, int32_t extent, const Item& tensor,
                                                   const Range& range) {
  auto type = number_type(index, range);
  if (!type) return std::nullopt;
  if (!ir::is_integer(*type)) {
    error(ErrorKind::Type, range, fmt::format("an index must be an integer, not {}", ir::name(*type)));
    return std::nullopt;
  }
  auto* place = std::get_if<TensorPlace>(&tensor);
  const bool clamp = place && place->clamp;
  if (auto* value = std::get_if<Value>(&index)) {
    int64_t known = as_integer(*value).value_or(INT64_MAX);
    if (clamp) known = std::clamp<int64_t>(known, 0, extent - 1);
    if (known < 0) {
      error(ErrorKind::Index, range, "negative indices are not supported");
      return std::nullopt;
    }
    if (known >= extent) {
      error(ErrorKind::Index, range,
            fmt::format("index {} is out of range: {} has {} components there", known, describe_item(tensor), extent));
      return std::nullopt;
    }
    return Component{static_cast<int32_t>(known), InstId::None};
  }
  if (!clamp) return Component{0, *coerce(index, Type::I32, range)};
  const Type wide = *type == Type::U32 || ir::bit_width(*type) == 64 ? Type::I64 : Type::I32;
  const InstId below =
      build_.binary(ir::BinaryOp::Min, *coerce(index, wide, range), constant(wide, Value(int64_t{extent - 1})));
  const InstId inside = build_.binary(ir::BinaryOp::Max, below, constant(wide, Value(int64_t{0})));
  return Component{0, build_.cast(Type::I32, inside)};
}

namespace {

const std::vector<int32_t>& shape_of_tensor(const Item& item) {
  if (auto* tensor = std::get_if<Tensor>(&item)) return tensor->shape;
  if (auto* place = std::get_if<TensorPlace>(&item)) return place->shape;
  return std::get<ConstantTensor>(std::get<Value>(item)).shape;
}

}  // namespace

Item Lowering::tensor_subscript(const Item& tensor, const Expr& slice, const Range& range) {
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
    return error(ErrorKind::Index, range,
                 fmt::format("{} needs an index; None and () are for fields without axes", describe_item(tensor)));
  };
  if (parts.empty()) return no_index();
  for (const Expr* part : parts) {
    if (auto* cut = std::get_if<syntax::Slice>(&part->node)) {
      if (axes.size() >= shape.size())
        return error(ErrorKind::Index, range, fmt::format("{} has {} axes", describe_item(tensor), shape.size()));
      const int32_t extent = shape[axes.size()];
      int64_t bounds[3] = {0, extent, 1};
      const Expr* given[3] = {cut->lower, cut->upper, cut->step};
      for (int i = 0; i < 3; ++i) {
        if (!given[i]) continue;
        Item item = static_value(*given[i]);
        auto* value = std::get_if<Value>(&item);
        auto known = value ? as_integer(*value) : std::nullopt;
        if (!known)
          return poisoned(item) ? Item(Poison{})
                                : error(ErrorKind::Type, given[i]->range,
                                        "the bounds of a slice are integers that are known at compile time");
        bounds[i] = i < 2 && *known < 0 ? *known + extent : *known;
      }
      if (bounds[2] <= 0) return error(ErrorKind::Index, part->range, "the step of a slice is positive");
      std::vector<Component> chosen;
      for (int64_t i = std::max<int64_t>(bounds[0], 0); i < std::min<int64_t>(bounds[1], extent); i += bounds[2])
        chosen.push_back({static_cast<int32_t>(i), InstId::None});
      if (chosen.empty()) return error(ErrorKind::Index, part->range, "the slice has no components");
      result_shape.push_back(static_cast<int32_t>(chosen.size()));
      axes.push_back(std::move(chosen));
      continue;
    }
    auto list = index_list(*part);
    if (!list) return Poison{};
    if (list->empty()) return no_index();
    for (const Item& index : *list) {
      if (axes.size() >= shape.size()) {
        return error(ErrorKind::Index, range,
                     fmt::format("{} has {} {}, but more indices are given", describe_item(tensor), shape.size(),
                                 shape.size() == 1 ? "axis" : "axes"));
      }
      auto component = component_index(index, shape[axes.size()], tensor, part->range);
      if (!component) return Poison{};
      if (numbers.size() == axes.size()) numbers.push_back(*component);
      axes.push_back({*component});
    }
  }
  check_components(shape, numbers, range);
  while (axes.size() < shape.size()) whole(shape[axes.size()]);
  std::vector<Component> components;
  if (shape.size() == 1) {
    components = axes[0];
  } else {
    auto index_of = [&](const Component& row, const Component& column) -> Component {
      if (row.index == InstId::None && column.index == InstId::None)
        return {row.known * shape[1] + column.known, InstId::None};
      auto id = [&](const Component& c) {
        return c.index != InstId::None ? c.index : constant(Type::I32, Value(int64_t{c.known}));
      };
      InstId width = constant(Type::I32, Value(int64_t{shape[1]}));
      InstId begin = build_.binary(ir::BinaryOp::Mul, id(row), width);
      return {0, build_.binary(ir::BinaryOp::Add, begin, id(column))};
    };
    for (const Component& row : axes[0]) {
      for (const Component& column : axes[1]) components.push_back(index_of(row, column));
    }
  }
  return select_components(tensor, std::move(result_shape), std::move(components));
}

Item Lowering::swizzle(const Item& tensor, std::string_view name, const Range& range) {
  const std::vector<int32_t> shape = shape_of_tensor(tensor);
  for (std::string_view letters : {"xyzw", "rgba", "stpq"}) {
    if (shape.size() != 1 || name.size() > 4 || name.find_first_not_of(letters) != std::string_view::npos) continue;
    std::vector<Component> components;
    for (char letter : name) {
      int32_t component = static_cast<int32_t>(letters.find(letter));
      if (component >= shape[0])
        return error(ErrorKind::Name, range, fmt::format("{} has no component `{}`", describe_item(tensor), letter));
      components.push_back({component, InstId::None});
    }
    const auto count = static_cast<int32_t>(components.size());
    return select_components(tensor, count == 1 ? std::vector<int32_t>{} : std::vector<int32_t>{count},
                             std::move(components));
  }
  return error(ErrorKind::Name, range, fmt::format("{} has no attribute `{}` in kernels", describe_item(tensor), name));
}

Item Lowering::matrix_product(const Item& a, const Item& b, const Range& range) {
  auto left = as_tensor(a, range), right = as_tensor(b, range);
  const bool fits = left && right && !(left->shape.size() == 1 && right->shape.size() == 1) &&
                    (left->shape.size() == 1 ? left->shape[0] : left->shape[1]) == right->shape[0];
  if (!fits) {
    if (poisoned(a) || poisoned(b)) return Poison{};
    return error(ErrorKind::Type, range,
                 fmt::format("`@` does not work on {} and {}", describe_item(a), describe_item(b)));
  }
  const int32_t rows = left->shape.size() == 1 ? 1 : left->shape[0];
  const int32_t columns = right->shape.size() == 1 ? 1 : right->shape[1];
  const int32_t inner = right->shape[0];
  std::vector<Item> numbers;
  for (int32_t row = 0; row < rows; ++row) {
    for (int32_t column = 0; column < columns; ++column) {
      std::vector<Item> products;
      for (int32_t k = 0; k < inner; ++k) {
        products.push_back(multiply(component_item(*left, static_cast<size_t>(row * inner + k)),
                                    component_item(*right, static_cast<size_t>(k * columns + column)), range));
      }
      numbers.push_back(sum_of(products, range));
    }
  }
  std::vector<int32_t> shape;
  if (left->shape.size() == 2) shape.push_back(rows);
  if (right->shape.size() == 2) shape.push_back(columns);
  auto result = tensor_of(numbers, std::move(shape), std::nullopt, range);
  return result ? Item(*result) : Item(Poison{});
}

}  // namespace qd::frontend
