// Loops that are unrolled while the kernel is compiled: `for x in qd.static(...)`.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Unrolls a loop. `e`: the call of qd.static. `next`: the line behind the loop.
Flow static_for(Compilation& c, const syntax::For& s, const syntax::Call& e, const Stmt& stmt, int32_t next);

}  // namespace qd::frontend
