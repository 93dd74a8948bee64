// Conservative interval analysis of signed integers in a kernel: an index plus one, for instance, needs no check of
// overflow.
#pragma once

#include "runtime/frontend/state/compilation.h"
#include "runtime/ir/kernel.h"

namespace qd::frontend {

/// Ends of an interval, both in it. Sums and products of 64-bit ends fit.
struct Interval {
  __int128 low, high;
};

/// All numbers of a signed type.
Interval interval(ir::Type type);
/// The interval of a sum, a difference or a product, before it wraps.
Interval interval(ir::BinaryOp op, Interval a, Interval b);
/// The interval of a value; all numbers of its type when nothing is known.
Interval interval(const ir::Kernel& kernel, ir::InstId id);

}  // namespace qd::frontend
