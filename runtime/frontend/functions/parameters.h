// Binds the parameters of a kernel itself.
#pragma once

#include <span>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

void bind_parameters(Compilation& c, const Signature& signature, std::span<const ArgumentType> arguments);

}  // namespace qd::frontend
