// What a `for` at run time goes through: the axes of the loop and their bounds.
#pragma once

#include <optional>

#include "runtime/frontend/memory/axes.h"

namespace qd::frontend {

/// The axes of what a `for` iterates over.
std::optional<Axes> axes_of(Compilation& c, const Expr& iter);

}  // namespace qd::frontend
