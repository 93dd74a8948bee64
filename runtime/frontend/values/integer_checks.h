// Overflow checks of debug mode: reports results that do not fit their integer type.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Checks as check_integers, for the result of an atomic operation on `old`.
void check_atomic(Compilation& c, ir::AtomicOp op, ir::Type type, ir::InstId old, ir::InstId operand,
                  const Range& range);
/// Reports, in debug mode, a result of `x op y` that does not fit the type, and a shift by too much.
void check_integers(Compilation& c, ir::BinaryOp op, ir::Type type, ir::InstId x, ir::InstId y, const Range& range);

}  // namespace qd::frontend
