// The memory of an array, beside its shape.
#pragma once

#include <cstdint>
#include <vector>

namespace qd::ir {

/// Where the elements of an array lie, as far as the code knows it. The default: dense, in C order, the components of
/// an element side by side.
struct Layout {
  int32_t components = 1;  // numbers an element has: of a vector, or of a matrix row by row
  int64_t stride = 0;      // bytes between neighbours along the axis that is innermost in memory; 0: an element's size
  int64_t component_stride = 0;  // bytes between the components of an element; 0: a number's size
  std::vector<int32_t> order;    // the axes, the outermost in memory first; empty: 0, 1, 2...

  bool operator==(const Layout&) const = default;
};

}  // namespace qd::ir
