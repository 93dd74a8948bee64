// Vectors and matrices: their types, components and parts; and values of compound types, structs among them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/frontend/constants/type_attributes.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Facts of a vector's or matrix's type, without its numbers; nothing for other items.
std::optional<ArrayFacts> tensor_facts(const Item& item);
/// The shape of an item that is_tensor.
const std::vector<int32_t>& shape_of_tensor(const Item& item);
/// A tensor of numbers, row by row, with a shape. `type`: that of its numbers; nothing: the type that they promote to.
std::optional<Tensor> tensor_of(Compilation& c, const std::vector<Item>& numbers, std::vector<int32_t> shape,
                                std::optional<ir::Type> type, const Range& range);
/// A vector or matrix from a list of numbers, or of lists of numbers, or known numbers, or an array of numpy from
/// outside; nothing when it is none. The numbers of lists and arrays are made in `type`, without one in their common
/// type.
std::optional<Tensor> as_tensor(Compilation& c, const Item& item, const Range& range,
                                std::optional<ir::Type> type = std::nullopt);
/// The tensor with its numbers converted.
Item convert_tensor(Compilation& c, const Tensor& tensor, ir::Type type);
/// One number of a tensor, from 0, row by row.
inline Item component_item(const Tensor& tensor, size_t i) { return Number{tensor.numbers[i], tensor.type}; }
/// Some components of a tensor or of its place, as a tensor of a shape; as a number if the shape is empty.
Item select_components(Compilation& c, const Item& tensor, std::vector<int32_t> shape,
                       std::vector<Component> components);
/// An index of a component, checked if it is known. `extent`: the size of the axis.
std::optional<Component> component_index(Compilation& c, const Item& index, int32_t extent, const Item& tensor,
                                         const Range& range);
/// Lowers a swizzle, `v.xyz`.
Item swizzle(Compilation& c, const Item& tensor, std::string_view name, const Range& range);

// Vectors, matrices and structs of known numbers, zeros, and conversions to a compound type.

/// A vector or matrix of known numbers, as constants of the kernel.
Item constant_tensor(Compilation& c, const ConstantTensor& tensor);
/// The value of a type whose numbers are all 0.
Item zero_of(Compilation& c, const Value& type, const Range& range);
/// An item as a value of a type, converted; Poison after an error.
Item convert_item(Compilation& c, const Item& item, const Value& type, const Range& range);

}  // namespace qd::frontend
