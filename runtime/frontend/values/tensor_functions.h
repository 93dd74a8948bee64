// Methods and functions of vectors and matrices.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

bool is_tensor_method(std::string_view name);
Item sum_of(Compilation& c, const std::vector<Item>& numbers, const Range& range);
Item tensor_function(Compilation& c, std::string_view name, const std::vector<Item>& args, const Range& range);

}  // namespace qd::frontend
