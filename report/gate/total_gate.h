// Threshold of the total, coverage.py's [report] fail_under: a Python float, compared with a rounded percentage.
#pragma once

#include <string>

namespace qd::report {

/// Message of a missed threshold, "total of 49 is less than fail-under=50"; empty when `percent` reaches it. `percent`
/// is rounded to as many decimals as `precision` or the threshold has; a threshold of 100 must be met exactly. Throws
/// std::runtime_error when the threshold is not between 0 and 100.
std::string total_below(double percent, double fail_under, int precision);

}  // namespace qd::report
