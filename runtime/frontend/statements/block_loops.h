// Loops whose iterations are threads of blocks.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Finishes a parallel loop after its body: when that uses qd.simt, gives it a block_dim, and checks that the number of
/// its iterations is a multiple of that if threads meet.
void finish_block_loop(Compilation& c, ir::InstId loop, const Range& range);

}  // namespace qd::frontend
