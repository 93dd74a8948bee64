// Functions of numbers, vectors and matrices, by instructions of the kernel.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

// Functions of numbers that have an instruction, or are a few instructions.

/// Lowers sin, sqrt, abs...: integers become default_fp first, if the function has none of their own.
Item float_function(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers floor, ceil, round: a float of the same type, or of the type given as second argument.
Item round_number(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers min, max and their like of two or more numbers, left to right.
Item fold_values(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers atan2 and its like: of two numbers as floats of one type.
Item float_binary(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers qd.bit_cast(value, dtype).
Item bit_cast(Compilation& c, const std::vector<Item>& args, const Range& range);
/// Lowers qd.select(test, yes, no): both are evaluated.
Item select_values(Compilation& c, const std::vector<Item>& args, const Range& range);
/// Lowers qd.random(dtype).
Item random_number(Compilation& c, const std::vector<Item>& args, const Range& range);

// Functions of numbers that are composed of several instructions.

/// Lowers radians, degrees, log2, exp2, frexp, zero, one and randn.
Item more_functions(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
/// Lowers qd.find_set_bit(mask, position, count): the position of the count-th set bit.
Item find_set_bit(Compilation& c, const std::vector<Item>& args, const Range& range);

// Methods and functions of vectors and matrices.

/// Whether vectors and matrices have a method of this name.
bool is_tensor_method(std::string_view name);
/// The sum of numbers, left to right.
Item sum_of(Compilation& c, const std::vector<Item>& numbers, const Range& range);
/// The method `name` of args[0], or the function of vectors and matrices with this name.
Item tensor_function(Compilation& c, std::string_view name, const std::vector<Item>& args, const Range& range);

}  // namespace qd::frontend
