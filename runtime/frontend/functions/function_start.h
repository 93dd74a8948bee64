// Start of a function: its state, and the parameters of a kernel itself. Calls of funcs: expressions/calls.h.
#pragma once

#include <span>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Fills in the state of a function from its source, and gives it a row of Kernel::functions.
void begin_function(Compilation& c, const FunctionSource& source, Environment& environment, FunctionState& state);
/// Binds the parameters of a kernel itself.
void bind_parameters(Compilation& c, const Signature& signature, std::span<const ArgumentType> arguments);

}  // namespace qd::frontend
