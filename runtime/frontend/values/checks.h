// Checks while a kernel runs: an Assert or a Warn with a text.
#pragma once

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/state/compilation.h"
#include "runtime/frontend/values/text.h"

namespace qd::frontend {

/// The number of the iteration of the parallel loop around, by which messages name the thread. 0 outside of one.
Item thread_number(Compilation& c);
/// Adds the line that names the thread.
void add_thread(Compilation& c, Text& text, const Range& range);
/// Emits `op` (Assert, Warn) with a text.
void emit_check(Compilation& c, ir::Op op, ir::InstId holds, const Text& text, const Range& range,
                ir::Format::Kind kind);

}  // namespace qd::frontend
