// assert: a check in debug mode; else it is lowered for its errors alone.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers `assert test, message`.
void lower_assert(Compilation& c, const syntax::Assert& s, const Stmt& stmt);

}  // namespace qd::frontend
