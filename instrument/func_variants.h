// How many variants of a func one kernel tells apart.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// A func that one kernel calls for more kinds of arguments than these is one variant of it. Each variant has counters
/// of its own, and the calls of an unrolled loop may be many.
inline constexpr size_t kMostFuncVariants = 8;

/// Makes the variants of such funcs one, which says how many there are.
void join_many_variants(ir::Kernel& kernel);

}  // namespace qd::instrument
