// How elements are used that other threads use meanwhile: atomic operations and volatile loads, on numbers and on each
// component of vectors and matrices.
#pragma once

#include <vector>

#include "runtime/frontend/known/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// `target op= operand`, atomically, on a number or on each component; gives what the target held before.
Item atomic_on(Compilation& c, const BuiltinInfo& info, const Item& place, const std::vector<Item>& operands,
               const Range& range);

/// What an element holds, read each time the program comes there. A local variable is an error: no other thread sees
/// it.
Item volatile_load(Compilation& c, const Item& place, const Range& range);

}  // namespace qd::frontend
