// Bounds checks of debug mode: reports indices that are out of range.
#pragma once

#include <span>
#include <vector>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The whole of a view's part.
enum class PartOf { Ndarray, View };

/// Whether an index cannot be out of range: a constant of a field, or that of a loop over the array's own size.
bool surely_inside(Compilation& c, ir::InstId index, uint32_t array, uint32_t axis, int32_t first);
/// Checks the indices of an ElementPtr, without the component, before it is emitted; they may change.
void check_indices(Compilation& c, uint32_t array, std::span<ir::InstId> indices, const std::vector<int32_t>& first,
                   const Range& range);
/// Checks, in debug mode, that indices of components which are known at run time only lie in the shape.
void check_components(Compilation& c, const std::vector<int32_t>& shape, const std::vector<Component>& indices,
                      const Range& range);
/// Checks, in debug mode, that an index lies in a view.
void check_view_index(Compilation& c, const View& view, ir::InstId index, const Range& range);
/// Checks, in debug mode, that [offset, offset + size) lies in the `whole` that a view is made of.
void check_part(Compilation& c, ir::InstId offset, ir::InstId size, ir::InstId whole, PartOf what, const Range& range);

}  // namespace qd::frontend
