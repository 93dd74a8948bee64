// What a `for` at run time goes through: the axes of the loop and their bounds.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

struct Axes {
  std::vector<ir::InstId> bounds;  // begin, end of each axis, the outermost first
  bool grouped = false;
  std::vector<uint32_t> order = {};  // which index each axis of the loop is; empty: 0, 1, 2...
};

std::optional<Axes> axes_of(Compilation& c, const Expr& iter);

}  // namespace qd::frontend
