// Derivatives of single operations of the kernel IR, as formulas: the rows of op.def and operators.def.
#pragma once

#include <optional>

#include "runtime/mathematics/notation.h"

namespace qd::autodiff {

using mathematics::Notation;
using mathematics::Value;

/// Product of `d` and the derivative of an instruction with a value by its operand `n`, of type `type`; nothing where
/// the derivative is zero. For `r = sin(x)` this is `d * cos(x)`.
///
/// Forward mode gives the derivative of the operand for `d`, and the type of the result; reverse mode the derivative by
/// the result, and the type of the operand. The operation has a rule of op.h that is neither None, Place nor Memory.
std::optional<Value> derivative_product(Notation& notation, ir::InstId inst, size_t n, Value d, ir::Type type);

/// Whether the derivative of an instruction by its operand `n` is zero for all values. False for operations without a
/// derivative.
bool is_constant_in(const ir::Kernel& kernel, ir::InstId inst, size_t n);

}  // namespace qd::autodiff
