// Calls of a qd.func: lowers its body at the call (inlining). call_func itself is declared in expressions/calls.h.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Fills in the state of a function from its source, and gives it a row of Kernel::functions.
void begin_function(Compilation& c, const FunctionSource& source, Environment& environment, FunctionState& state);

}  // namespace qd::frontend
