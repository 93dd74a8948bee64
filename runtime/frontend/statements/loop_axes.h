// What a `for` at run time goes through: the axes of the loop and their bounds.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The iterations of a loop: one axis for range(), several for ndrange() and arrays.
struct Axes {
  std::vector<ir::InstId> bounds;  // begin, end of each axis, the outermost first
  bool grouped = false;
  std::vector<uint32_t> order = {};  // which index each axis of the loop is; empty: 0, 1, 2...
};

/// The axes of what a `for` iterates over.
std::optional<Axes> axes_of(Compilation& c, const Expr& iter);

}  // namespace qd::frontend
