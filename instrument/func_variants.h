// Limit on the variants of a func that one kernel tells apart.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Largest number of variants of a func in one kernel. With more kinds of arguments, all its calls are one variant.
/// Each variant has counters of its own, and the calls of an unrolled loop may be many.
inline constexpr size_t kMostFuncVariants = 8;

/// Joins the variants of such funcs into one, whose text is their number.
void join_many_variants(ir::Kernel& kernel);

}  // namespace qd::instrument
