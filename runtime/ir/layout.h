// Memory layout of an array: strides and order of axes. The shape is elsewhere.
#pragma once

#include <cstdint>
#include <vector>

namespace qd::ir {

/// Places of the elements of an array in memory, as far as they are known at compile time. By default: dense, in C
/// order, the components of an element side by side.
struct Layout {
  int32_t components = 1;  // numbers of an element: those of a vector, or of a matrix row by row
  int64_t stride = 0;      // bytes between neighbours along the innermost axis in memory; 0: the size of an element
  int64_t component_stride = 0;  // bytes between the components of an element; 0: the size of a number
  std::vector<int32_t> order;    // the axes, the outermost in memory first; empty: 0, 1, 2...

  bool operator==(const Layout&) const = default;
};

}  // namespace qd::ir
