// Fixed arithmetic: what fast maths may round in several ways, rounded in one.
#pragma once

#include <span>

#include "runtime/ir/kernel.h"

namespace qd::codegen {

/// A copy of a kernel in which the arithmetic of these tasks needs no permission of fast maths any more: products that
/// only one sum uses are fused with it, and quotients by constants, by values of the launch, and by one value several
/// times are products with its reciprocal. So each form of a task's loop can have the same bits.
///
///     s = s + a * b        # fma(a, b, s)
///     x / 3.0, y / h       # x * (1 / 3.0), y * (1 / h)
ir::Kernel with_fixed_arithmetic(ir::Kernel kernel, std::span<const uint32_t> tasks);

}  // namespace qd::codegen
