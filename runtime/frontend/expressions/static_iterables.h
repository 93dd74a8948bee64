// Iterables of a loop under qd.static, or of a comprehension.
#pragma once

#include <optional>
#include <vector>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The items of an unrolled loop's iterable; nothing after an error.
std::optional<std::vector<Item>> static_iterable(Compilation& c, const Expr& expr);

}  // namespace qd::frontend
