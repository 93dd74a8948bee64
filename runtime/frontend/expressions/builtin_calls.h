// Calls of the names of the language, by their kind (constants/builtins.def).
#pragma once

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers a call of a name of the language.
Item call_builtin(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
