// Functions of numbers that have an instruction, or are a few instructions.
#pragma once

#include <vector>

#include "runtime/frontend/known/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// sin, sqrt, abs...: integers become default_fp first, where the function has none of their own.
Item float_function(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// floor, ceil, round: a float of the same type, or of the type given as second argument.
Item round_number(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// min, max and their like of two or more numbers, left to right.
Item fold_values(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Functions of one or two numbers that are a few instructions each.
Item composed_function(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// qd.bit_cast(value, dtype).
Item bit_cast(Compilation& c, const std::vector<Item>& args, const Range& range);
/// qd.select(test, yes, no): both are evaluated.
Item select_values(Compilation& c, const std::vector<Item>& args, const Range& range);
/// qd.random(dtype).
Item random_number(Compilation& c, const std::vector<Item>& args, const Range& range);

}  // namespace qd::frontend
