// Inner loops of which LLVM's vectoriser can make vectors, as far as the IR shows.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::codegen {

/// Whether iterations of a serial loop may be in one vector: its body is straight, and no iteration needs a number of
/// the one before, except for sums and the like, and numbers that grow by steps.
///
///     for k in range(n): s += x[k]; at += 2        # vectors
///     for k in range(n): h = (h ^ k) * 16777619    # none: each h needs the one before
bool has_independent_iterations(const ir::Kernel& kernel, const ir::Inst& loop);

}  // namespace qd::codegen
