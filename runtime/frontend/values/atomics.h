// Accesses to elements that other threads use meanwhile: atomic operations and volatile loads, on numbers and on each
// component of vectors and matrices.
#pragma once

#include <vector>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers `target op= operand`, atomically, on a number or on each component; gives the old value.
Item atomic_on(Compilation& c, const BuiltinInfo& info, const Item& place, const std::vector<Item>& operands,
               const Range& range);

/// Loads an element each time the program comes there (volatile). A local variable is an error: no other thread sees
/// it.
Item volatile_load(Compilation& c, const Item& place, const Range& range);

}  // namespace qd::frontend
