// Atomic operations on numbers and on each component of vectors and matrices.
#pragma once

#include <vector>

#include "runtime/frontend/known/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// `target op= operand`, atomically, on a number or on each component; gives what the target held before.
Item atomic_on(Compilation& c, const BuiltinInfo& info, const Item& place, const std::vector<Item>& operands,
               const Range& range);

}  // namespace qd::frontend
