// Debug mode and memory: indices that are out of range are reported.
#pragma once

#include <span>
#include <vector>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// What a view is made of.
enum class PartOf { Ndarray, View };

/// Whether an index cannot be out of range: a constant of a field, or that of a loop over the array's own size.
bool surely_inside(Compilation& c, ir::InstId index, uint32_t array, uint32_t axis, int32_t first);
/// Before an ElementPtr, with its indices without the component: those that are checked may change.
void check_indices(Compilation& c, uint32_t array, std::span<ir::InstId> indices, const std::vector<int32_t>& first,
                   const Range& range);
/// Debug mode: indices of components that are known at run time only lie in the shape.
void check_components(Compilation& c, const std::vector<int32_t>& shape, const std::vector<Component>& indices,
                      const Range& range);
/// Debug mode: an index lies in a view.
void check_view_index(Compilation& c, const View& view, ir::InstId index, const Range& range);
/// Debug mode: [offset, offset + size) lies in the `whole` that a view is made of.
void check_part(Compilation& c, ir::InstId offset, ir::InstId size, ir::InstId whole, PartOf what, const Range& range);

}  // namespace qd::frontend
