// Arrays of a block: their shapes, and the places of their elements.
#pragma once

#include <vector>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

Item shape_of_shared(const SharedArray& array);
/// The place of an element; Poison after an error. In debug mode, the indices are checked.
Item shared_element(Compilation& c, const SharedArray& array, const std::vector<Item>& indices, const Expr& slice,
                    const Range& range);

}  // namespace qd::frontend
