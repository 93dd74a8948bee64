// Checks while a kernel runs: an Assert or a Warn with a text, and the overflow checks of debug mode.
#pragma once

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/state/compilation.h"
#include "runtime/frontend/values/text.h"

namespace qd::frontend {

/// The number of the iteration of the parallel loop around, by which messages name the thread. 0 outside of one.
Item thread_number(Compilation& c);
/// Adds the line that names the iteration of the parallel loop by its loop variables, "at i=3, j=5"; its number where
/// these are not known. Nothing outside of a parallel loop.
void add_iteration(Compilation& c, Text& text, const Range& range);
/// Emits `op` (Assert, Warn) with a text.
void emit_check(Compilation& c, ir::Op op, ir::InstId holds, const Text& text, const Range& range,
                ir::Format::Kind kind);

// Overflow checks of debug mode: reports results that do not fit their integer type.

/// Checks as check_integers, for the result of an atomic operation on `old`.
void check_atomic(Compilation& c, ir::AtomicOp op, ir::Type type, ir::InstId old, ir::InstId operand,
                  const Range& range);
/// Reports, in debug mode, a result of `x op y` that does not fit the type, and a shift by too much.
void check_integers(Compilation& c, ir::BinaryOp op, ir::Type type, ir::InstId x, ir::InstId y, const Range& range);

}  // namespace qd::frontend
