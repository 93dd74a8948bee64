// Forward mode of automatic differentiation.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// Adds the computation of duals to a kernel. For `y[i] = x[i] * x[i]`, where both arrays have duals:
///
///     t = x[i];         dt = x.dual[i]
///     r = t * t;        dr = dt * t + dt * t
///     y[i] = r;         y.dual[i] = dr
///
/// `probes`: adds derivative probes behind the duals.
void add_duals(ir::Kernel& kernel, bool probes = false);

}  // namespace qd::autodiff
