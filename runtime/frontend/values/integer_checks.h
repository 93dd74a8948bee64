// Debug mode and integers: results that do not fit their type are reported.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

void check_atomic(Compilation& c, ir::AtomicOp op, ir::Type type, ir::InstId old, ir::InstId operand,
                  const Range& range);
void check_integers(Compilation& c, ir::BinaryOp op, ir::Type type, ir::InstId x, ir::InstId y, const Range& range);

}  // namespace qd::frontend
