// The place that the target of an assignment names.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The place that an expression names; Poison after an error.
Item target_place(Compilation& c, const Expr& target);

}  // namespace qd::frontend
