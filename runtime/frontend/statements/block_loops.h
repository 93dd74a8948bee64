// Loops whose iterations are threads of blocks.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Behind a parallel loop: when its body uses qd.simt, gives it a block_dim, and sees to it that the number of its
/// iterations is a multiple of that where threads meet.
void finish_block_loop(Compilation& c, ir::InstId loop, const Range& range);

}  // namespace qd::frontend
