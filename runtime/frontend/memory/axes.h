// The axes of a loop over indices, and what a loop is made with.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The iterations of a loop: one axis for range(), several for ndrange() and arrays.
struct Axes {
  std::vector<ir::InstId> bounds;  // begin, end of each axis, the outermost first
  bool grouped = false;
  std::vector<uint32_t> order = {};  // which index each axis of the loop is; empty: 0, 1, 2...
};

/// The axes of a field or an array. False after an error.
bool array_axes(Compilation& c, const Item& array, const Range& range, Axes& axes);
/// What qd.loop_config has said for the loop that begins here.
ir::LoopInfo take_loop_info(Compilation& c, const Range& range, bool top_level);
/// The operands of a For over these axes. Without axes (a field of shape (), ndrange()) there is one index tuple, (): a
/// loop of one iteration.
std::vector<ir::InstId> loop_bounds(Compilation& c, const Axes& axes);

}  // namespace qd::frontend
