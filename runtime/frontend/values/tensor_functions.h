// Methods and functions of vectors and matrices.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Whether vectors and matrices have a method of this name.
bool is_tensor_method(std::string_view name);
/// The sum of numbers, left to right.
Item sum_of(Compilation& c, const std::vector<Item>& numbers, const Range& range);
/// The method `name` of args[0], or the function of vectors and matrices with this name.
Item tensor_function(Compilation& c, std::string_view name, const std::vector<Item>& args, const Range& range);

}  // namespace qd::frontend
