// Gradients of stencils: sums of neighbours instead of atomics.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// Rewrites parallel loops that add to an array at constant distances from their own index. The gradient of
/// `y[i] = f(x[i - 1], x[i + 1])` adds to x.grad[i - 1] and x.grad[i + 1], where other iterations add, too:
///
///     for i in range(b, e):                       # b and e: the bounds of the loop
///         x.grad[i - 1] += u(i);  x.grad[i + 1] += v(i)
///
/// becomes a loop over the elements, which need no atomics and are next to each other for SIMD,
///
///     for p in range(b + 1, e - 1):
///         x.grad[p] += u(p + 1) + v(p - 1)
///
/// and loops over the elements near the bounds, which get something from some iterations only.
///
/// `tiles`: long computations are done once for all neighbours (tiles.h). For devices with few threads.
void gather_sums(ir::Kernel& kernel, bool tiles);

}  // namespace qd::autodiff
