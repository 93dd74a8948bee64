// What a loop under qd.static, or a comprehension, goes through.
#pragma once

#include <optional>
#include <vector>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The items that an unrolled loop goes through; nothing after an error.
std::optional<std::vector<Item>> static_iterable(Compilation& c, const Expr& expr);

}  // namespace qd::frontend
