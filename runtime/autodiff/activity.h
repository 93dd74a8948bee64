// Activity analysis: the values and variables of a kernel that a derivative passes through.
#pragma once

#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// For each instruction of a kernel before split_tasks, whether its derivative may differ from zero: a number that
/// depends on an element of an array that has a dual, or the place of such a number. In
///
///     t = x[i] * 2.0      # x has a dual: active
///     n = int(t)          # a cast to an integer is not
///
/// The order of the code does not matter: a variable is active everywhere if it is active somewhere. Throws
/// NoDerivative for an operation without a derivative that gets an active operand.
std::vector<bool> active_instructions(const ir::Kernel& kernel);

/// The same for reverse mode: numbers that depend on an element of an array with a gradient, and on which an element of
/// such an array depends.
std::vector<bool> active_in_reverse(const ir::Kernel& kernel);

/// The values, variables and places on which an element of an array with a dual depends.
std::vector<bool> useful_for_duals(const ir::Kernel& kernel);

}  // namespace qd::autodiff
