// Functions of numbers that have an instruction, or are a few instructions.
#pragma once

#include <vector>

#include "runtime/frontend/known/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

Item float_function(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
Item round_number(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
Item fold_values(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
Item composed_function(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
Item bit_cast(Compilation& c, const std::vector<Item>& args, const Range& range);
Item select_values(Compilation& c, const std::vector<Item>& args, const Range& range);
Item random_number(Compilation& c, const std::vector<Item>& args, const Range& range);

}  // namespace qd::frontend
