// Targets of assignments, as places.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The place of a target; Poison after an error.
Item target_place(Compilation& c, const Expr& target);

}  // namespace qd::frontend
