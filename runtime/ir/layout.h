// How an array lies in memory, apart from its shape.
#pragma once

#include <cstdint>
#include <vector>

namespace qd::ir {

/// Where the elements of an array lie, as far as it is known at compile time. By default: dense, in C order, the
/// components of an element side by side.
struct Layout {
  int32_t components = 1;  // how many numbers an element has: those of a vector, or of a matrix row by row
  int64_t stride = 0;      // bytes between neighbours along the innermost axis in memory; 0: the size of an element
  int64_t component_stride = 0;  // bytes between the components of an element; 0: the size of a number
  std::vector<int32_t> order;    // the axes, the outermost in memory first; empty: 0, 1, 2...

  bool operator==(const Layout&) const = default;
};

}  // namespace qd::ir
