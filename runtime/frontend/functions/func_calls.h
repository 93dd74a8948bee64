// Calls of a qd.func: its body is lowered where it is called. call_func itself is declared in expressions/calls.h.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Fills in what a function's state has from its source, and gives it a row of Kernel::functions.
void begin_function(Compilation& c, const FunctionSource& source, Environment& environment, FunctionState& state);

}  // namespace qd::frontend
