// Arrays and fields, and arrays of a block: their shapes, and the places of their elements.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The array of an item, as an index into Kernel::arrays; nothing for other items.
std::optional<uint32_t> array_index(Compilation& c, const Item& item);
/// The sizes of an array along its axes; of an ndarray, numbers at run time.
Item shape_of(Compilation& c, const Item& array);
/// The type of an index; nothing after an error.
std::optional<ir::Type> index_type(Compilation& c, const Item& item, const Range& range);
/// An index along an axis as a number: an i32, an i64, or a u64, which is to become an i64 when it has been checked.
/// `first`: the first index of the axis; `clamp`: it is moved into the array.
std::optional<ir::InstId> index_operand(Compilation& c, const Item& item, const ir::Array& array, size_t axis,
                                        int32_t first, bool clamp, const Range& range);
/// The place of an element; Poison after an error.
Item element_place(Compilation& c, const Item& array, const std::vector<Item>& indices, const Expr& slice,
                   const Range& range);
/// Moves indices into the array, for boundary="clamp".
void clamp_indices(Compilation& c, uint32_t array, std::span<ir::InstId> indices);
/// The place of an element. There are as many indices as axes.
Item element_at(Compilation& c, const Item& array, std::vector<ir::InstId> indices);

// Arrays of a block.

Item shape_of_shared(const SharedArray& array);
/// The place of an element; Poison after an error. In debug mode, the indices are checked.
Item shared_element(Compilation& c, const SharedArray& array, const std::vector<Item>& indices, const Expr& slice,
                    const Range& range);

}  // namespace qd::frontend
