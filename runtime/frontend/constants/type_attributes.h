// Attributes of types: `.shape`, `.dtype`, `.ndim`, `.n` and `.m` of an array, a vector or a matrix.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/frontend/constants/value.h"

namespace qd::frontend {

/// Type and shape of an array. A field of 4 x 8 matrices of 2 x 3 numbers has the shape (4, 8) and the element shape
/// (2, 3); a vector of 3 numbers has the shape (3) and the element shape (3).
struct ArrayFacts {
  std::optional<ir::Type> type;        // of the numbers; nothing: unknown so far
  std::vector<Value> shape;            // the size along each axis, or runtime_size()
  std::vector<int32_t> element_shape;  // empty: numbers
};
ArrayFacts array_facts(const HostField& field);
/// Facts of an array. `rank`: the number of axes, whose sizes are known at run time only.
ArrayFacts array_facts(ir::Type type, int32_t rank, const std::vector<int32_t>& element_shape);
ArrayFacts tensor_facts(std::optional<ir::Type> type, const std::vector<int32_t>& shape);

/// The value of an attribute. Nothing when the name is none of these, or has no meaning here (`.n` of numbers).
std::optional<Value> type_attribute(const ArrayFacts& facts, std::string_view name);

/// The size of an array along an axis: it exists, but its number is not known.
Value runtime_size();

}  // namespace qd::frontend
