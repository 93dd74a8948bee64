// Vectors and matrices: their types, components and parts.
#include "runtime/frontend/values/tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/type_attributes.h"
#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Range;

const std::vector<int32_t>& shape_of_tensor(const Item& item) {
  if (auto* tensor = std::get_if<Tensor>(&item)) return tensor->shape;
  if (auto* place = std::get_if<TensorPlace>(&item)) return place->shape;
  return std::get<ConstantTensor>(std::get<Value>(item)).shape;
}

std::optional<ArrayFacts> tensor_facts(const Item& item) {
  if (auto* tensor = std::get_if<Tensor>(&item)) return tensor_facts(tensor->type, tensor->shape);
  if (auto* place = std::get_if<TensorPlace>(&item)) return tensor_facts(place->type, place->shape);
  if (auto* known = known_as<ConstantTensor>(item)) return tensor_facts(known->type, known->shape);
  return std::nullopt;
}

std::optional<Tensor> tensor_of(Compilation& c, const std::vector<Item>& numbers, std::vector<int32_t> shape,
                                std::optional<Type> type, const Range& range) {
  if (numbers.size() > ir::kMaxLocalArray) {
    c.report.error(
        ErrorKind::Type, range,
        fmt::format("a vector or matrix of {} numbers is too large: {} at most; use a field or an ndarray for more",
                    numbers.size(), ir::kMaxLocalArray));
    return std::nullopt;
  }
  Tensor tensor;
  tensor.shape = std::move(shape);
  const bool given = type.has_value();
  for (const Item& number : numbers) {
    auto own = number_type(c, number, range);
    if (!own) return std::nullopt;
    if (!given) type = type ? ir::promote(*type, *own) : *own;
  }
  tensor.type = type.value_or(c.options.default_fp);
  for (const Item& number : numbers) {
    auto id = coerce(c, number, tensor.type, range);
    if (!id) return std::nullopt;
    tensor.numbers.push_back(*id);
  }
  return tensor;
}

namespace {

/// The numbers of an array of numpy that is captured, or that a template holds: constants, as nested lists. Nothing
/// when there are too many, which is reported.
std::optional<Value> numbers_of_array(Compilation& c, const HostObject& array, const Range& range) {
  Environment& environment = *c.function().environment;
  c.captures.reads.identify(array, environment);
  auto size = environment.attribute(array, "size");
  auto count = size ? as_integer(*size) : std::nullopt;
  if (count && static_cast<uint64_t>(*count) > ir::kMaxLocalArray) {
    tensor_of(c, std::vector<Item>(static_cast<size_t>(*count)), {}, std::nullopt, range);  // says so
    return std::nullopt;
  }
  return environment.call({array, "tolist", {}, {}}).value;
}

}  // namespace

std::optional<Tensor> as_tensor(Compilation& c, const Item& item, const Range& range, std::optional<Type> type) {
  if (auto* tensor = std::get_if<Tensor>(&item)) return *tensor;
  if (std::holds_alternative<TensorPlace>(item)) return std::get<Tensor>(loaded(c, item));
  if (auto* known = known_as<ConstantTensor>(item)) return std::get<Tensor>(constant_tensor(c, *known));
  if (auto* host = known_as<HostObject>(item); host && host->kind == HostObject::Kind::Array) {
    auto numbers = numbers_of_array(c, *host, range);
    return numbers ? as_tensor(c, Item(*std::move(numbers)), range, type) : std::nullopt;
  }
  std::vector<Item> rows;
  if (auto* items = std::get_if<Items>(&item); items && items->keys.empty()) rows = items->list;
  if (auto* tuple = known_as<Tuple>(item)) rows.assign(tuple->items.begin(), tuple->items.end());
  if (rows.empty()) return std::nullopt;
  if (std::ranges::all_of(rows, is_a_number))
    return tensor_of(c, rows, {static_cast<int32_t>(rows.size())}, type, range);
  std::vector<Item> numbers;
  int32_t columns = -1;
  for (const Item& row : rows) {
    if (is_a_number(row) || poisoned(row)) return std::nullopt;
    std::vector<Item> parts;
    if (auto* items = std::get_if<Items>(&row); items && items->keys.empty()) parts = items->list;
    if (auto* tuple = known_as<Tuple>(row)) parts.assign(tuple->items.begin(), tuple->items.end());
    if (parts.empty()) {
      auto vector = as_tensor(c, row, range, type);
      if (!vector || vector->shape.size() != 1) return std::nullopt;
      for (size_t i = 0; i < vector->numbers.size(); ++i) parts.push_back(component_item(*vector, i));
    }
    if (!std::ranges::all_of(parts, is_a_number) || (columns >= 0 && columns != static_cast<int32_t>(parts.size())))
      return std::nullopt;
    columns = static_cast<int32_t>(parts.size());
    numbers.insert(numbers.end(), parts.begin(), parts.end());
  }
  return tensor_of(c, numbers, {static_cast<int32_t>(rows.size()), columns}, type, range);
}

Item convert_tensor(Compilation& c, const Tensor& tensor, Type type) {
  Tensor result{type, tensor.shape, {}};
  for (InstId id : tensor.numbers) result.numbers.push_back(c.build.cast(type, id));
  return result;
}

// Selects components; of a place they are a place.
Item select_components(Compilation& c, const Item& item, std::vector<int32_t> shape,
                       std::vector<Component> components) {
  const bool dynamic = std::ranges::any_of(components, [](const Component& c) { return c.index != InstId::None; });
  if (auto* place = std::get_if<TensorPlace>(&item)) {
    TensorPlace part = *place;
    const bool whole = std::ranges::all_of(place->components, [&](const Component& c) {
      return c.index == InstId::None && c.known == &c - place->components.data();
    });
    part.shape = shape;
    part.components.clear();
    for (const Component& one : components) {
      if (one.index == InstId::None) {
        part.components.push_back(place->components[static_cast<size_t>(one.known)]);
      } else if (whole) {
        part.components.push_back(one);
      } else {
        // A part of a part, known at run time only: it is taken from the loaded part.
        return select_components(c, loaded(c, item), std::move(shape), std::move(components));
      }
    }
    if (!shape.empty()) return part;
    return number_place(c, part, 0);
  }
  Tensor tensor = *as_tensor(c, item, {});
  if (dynamic)
    return loaded(c, select_components(c, new_place(c, tensor, false), std::move(shape), std::move(components)));
  Tensor result{tensor.type, shape, {}};
  for (const Component& one : components) result.numbers.push_back(tensor.numbers[static_cast<size_t>(one.known)]);
  if (!shape.empty()) return result;
  return Number{result.numbers[0], result.type};
}

std::optional<Component> component_index(Compilation& c, const Item& index, int32_t extent, const Item& tensor,
                                         const Range& range) {
  auto type = number_type(c, index, range);
  if (!type) return std::nullopt;
  if (!ir::is_integer(*type)) {
    c.report.error(ErrorKind::Type, range, fmt::format("indices must be integers, not {}", ir::name(*type)));
    return std::nullopt;
  }
  auto* place = std::get_if<TensorPlace>(&tensor);
  const bool clamp = place && place->clamp;
  if (auto* value = std::get_if<Value>(&index)) {
    int64_t known = as_integer(*value).value_or(INT64_MAX);
    if (clamp) known = std::clamp<int64_t>(known, 0, extent - 1);
    if ((known < 0 || known >= extent) && !c.build.at_top_level()) {  // behind a condition: reported when it is used
      Text text;
      text.add(fmt::format("Out of bound access to {} with index {}", describe_item(c, tensor), known));
      add_iteration(c, text, range);
      emit_check(c, ir::Op::Assert, c.build.constant(Type::U1, Value(false)), text, range, ir::Format::Kind::Plain);
      return Component{0, InstId::None};
    }
    if (known < 0) {
      c.report.error(ErrorKind::Index, range, "negative indices are not supported");
      return std::nullopt;
    }
    if (known >= extent) {
      c.report.error(ErrorKind::Index, range,
                     fmt::format("index {} is out of range: {} has {} there", known, describe_item(c, tensor),
                                 counted(extent, "component")));
      return std::nullopt;
    }
    return Component{static_cast<int32_t>(known), InstId::None};
  }
  const InstId number = *uncut_index(c, index, range);
  if (!clamp) return Component{0, number};
  const Type own = c.kernel[number].type;
  const InstId below = c.build.binary(ir::BinaryOp::Min, number, c.build.constant(own, Value(int64_t{extent - 1})));
  return Component{0, c.build.binary(ir::BinaryOp::Max, below, c.build.constant(own, Value(int64_t{0})))};
}

Item swizzle(Compilation& c, const Item& tensor, std::string_view name, const Range& range) {
  const std::vector<int32_t> shape = shape_of_tensor(tensor);
  for (std::string_view letters : {"xyzw", "rgba", "stpq"}) {
    if (shape.size() != 1 || name.size() > 4 || name.find_first_not_of(letters) != std::string_view::npos) continue;
    std::vector<Component> components;
    for (char letter : name) {
      int32_t component = static_cast<int32_t>(letters.find(letter));
      if (component >= shape[0])
        return c.report.error(ErrorKind::Name, range,
                              fmt::format("{} has no component `{}`", describe_item(c, tensor), letter));
      components.push_back({component, InstId::None});
    }
    const auto count = static_cast<int32_t>(components.size());
    return select_components(c, tensor, count == 1 ? std::vector<int32_t>{} : std::vector<int32_t>{count},
                             std::move(components));
  }
  return c.report.error(ErrorKind::Name, range,
                        fmt::format("{} has no attribute `{}` in kernels", describe_item(c, tensor), name));
}

}  // namespace qd::frontend
