// Derivative probe: tells of the derivative of a line, where other probes tell of the line itself.
#pragma once

#include <cstdint>

namespace qd::ir {

/// Probe::from of a derivative probe, which fires where the derivative of the line `to` is computed. A row of
/// Kernel::probes that no instruction names says that a derivative passes through the line: a variant for another mode
/// computes it.
constexpr int32_t kDerivative = INT32_MIN;

}  // namespace qd::ir
