// What a signed integer of a kernel is between, as far as it is easily seen: an index plus one needs no look at
// overflow.
#pragma once

#include "runtime/frontend/state/compilation.h"
#include "runtime/ir/kernel.h"

namespace qd::frontend {

/// Ends of an interval, both in it. Sums and products of 64-bit ends fit.
struct Extent {
  __int128 low, high;
};

/// All numbers of a signed type.
Extent extent(ir::Type type);
/// What a sum, a difference or a product is between, before it wraps.
Extent extent(ir::BinaryOp op, Extent a, Extent b);
/// What a value is between; all numbers of its type when nothing is known.
Extent extent(const ir::Kernel& kernel, ir::InstId id);

}  // namespace qd::frontend
