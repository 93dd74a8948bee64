// Debug mode and integers: results that do not fit their type are reported.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// As check_integers, for what an atomic operation made of `old`.
void check_atomic(Compilation& c, ir::AtomicOp op, ir::Type type, ir::InstId old, ir::InstId operand,
                  const Range& range);
/// Debug mode: reports a result of `x op y` that does not fit the type, and a shift by too much.
void check_integers(Compilation& c, ir::BinaryOp op, ir::Type type, ir::InstId x, ir::InstId y, const Range& range);

}  // namespace qd::frontend
