// Functions of numbers that have an instruction, or are a few instructions.
#pragma once

#include <vector>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers sin, sqrt, abs...: integers become default_fp first, if the function has none of their own.
Item float_function(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers floor, ceil, round: a float of the same type, or of the type given as second argument.
Item round_number(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers min, max and their like of two or more numbers, left to right.
Item fold_values(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers functions of one or two numbers that are a few instructions each.
Item composed_function(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers qd.bit_cast(value, dtype).
Item bit_cast(Compilation& c, const std::vector<Item>& args, const Range& range);
/// Lowers qd.select(test, yes, no): both are evaluated.
Item select_values(Compilation& c, const std::vector<Item>& args, const Range& range);
/// Lowers qd.random(dtype).
Item random_number(Compilation& c, const std::vector<Item>& args, const Range& range);

}  // namespace qd::frontend
