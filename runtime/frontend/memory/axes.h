// The axes of a loop over indices, and its options.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The iterations of a loop: one axis for range(), several for ndrange() and arrays.
struct Axes {
  std::vector<ir::InstId> bounds;  // begin, end of each axis, the outermost first
  bool grouped = false;
  std::vector<uint32_t> order = {};  // the index of each axis of the loop; empty: 0, 1, 2...
};

/// The type of the indices of an axis of a loop.
ir::Type index_type_of(const ir::Kernel& kernel, ir::InstId loop, uint32_t axis);
/// The common type of several axes, from `axis` on: as components of one vector.
ir::Type vector_type_of(const ir::Kernel& kernel, ir::InstId loop, uint32_t axis, uint32_t axes);
/// An index of a loop.
Number loop_index(Compilation& c, ir::InstId loop, uint32_t axis);
/// The type that a loop counts in, by those of its bounds: the wider one; of a signed and an unsigned one i64.
ir::Type common_count(ir::Type a, ir::Type b);

/// The axes of a field or an array. False after an error.
bool array_axes(Compilation& c, const Item& array, const Range& range, Axes& axes);
/// The options of qd.loop_config for the loop that begins here.
ir::LoopInfo take_loop_info(Compilation& c, const Range& range, bool top_level);
/// The operands of a For over these axes. Without axes (a field of shape (), ndrange()) there is one index tuple, (): a
/// loop of one iteration.
std::vector<ir::InstId> loop_bounds(Compilation& c, const Axes& axes);

}  // namespace qd::frontend
