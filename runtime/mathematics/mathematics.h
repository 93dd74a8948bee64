// The mathematical functions of the kernel language, as kernel IR.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/ir/kernel.h"

namespace qd::mathematics {

enum class Function : uint8_t {
#define QD_FUNCTION(name, function, derivative) name,
#include "runtime/ir/operators.def"
  Exp2,
  Atan2,  // of y and x
  Pow,    // of the base and the exponent
};
inline constexpr size_t kFunctions = static_cast<size_t>(Function::Pow) + 1;

/// Name in C's library, of the function of doubles.
std::string_view name(Function function);
/// Number of its arguments.
constexpr size_t arity(Function function) { return function == Function::Atan2 || function == Function::Pow ? 2 : 1; }

/// A kernel without tasks, whose only routine is the function of f32 or f64. The errors in README.md hold when each
/// operation is rounded once, in its order: no fast-math. The routine needs Fma, has no loop, and each of its Ifs has
/// one block, whose results few numbers need: a target that works on several numbers at once can run it when one of
/// them needs it, and keep the results of the others.
///
/// `alone`: the same bits, for one number at a time in code whose branches are predicted. Ifs may have both blocks.
ir::Kernel formula(Function function, ir::Type type, bool alone = false);

}  // namespace qd::mathematics
