// Functions of numbers that are composed of several instructions.
#pragma once

#include <vector>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers clamp, mix, fract, smoothstep, radians, log2 and their like.
Item more_functions(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers qd.find_set_bit(mask, position, count): the position of the count-th set bit.
Item find_set_bit(Compilation& c, const std::vector<Item>& args, const Range& range);

}  // namespace qd::frontend
