// Iterables of a `for` at run time: the axes of the loop and their bounds.
#pragma once

#include <optional>

#include "runtime/frontend/memory/axes.h"

namespace qd::frontend {

/// The axes of the iterable of a `for`.
std::optional<Axes> axes_of(Compilation& c, const Expr& iter);

}  // namespace qd::frontend
