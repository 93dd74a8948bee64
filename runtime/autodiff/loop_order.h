// Order of the iterations of a serial loop in the reverse sweep.
#pragma once

#include "runtime/autodiff/kept_values.h"

namespace qd::autodiff {

/// Whether the reverse sweep may run a loop's iterations in the order of the primal, because they only add to what is
/// outside of them:
///
///     for j in range(n): total += x[j] * x[j]        # reversed: x.grad[j] += 2 * x[j] * d
///
/// Then the loop runs forwards through memory, for which processors have vector instructions, and for the other
/// direction they have to turn each vector round.
bool is_any_order(const Primal& primal, const ReverseSweep& sweep, const KeptValues& kept, ir::InstId loop);

}  // namespace qd::autodiff
