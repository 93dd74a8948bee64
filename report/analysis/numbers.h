// Percentages as coverage.py shows and compares them.
#pragma once

#include <string>

namespace qd::report {

/// A percentage with `precision` decimals; never rounded to 0 or 100 unless it is.
std::string display_covered(double pc, int precision);

/// Returns whether `total` is below the threshold. It is rounded to as many decimals as `precision` or the threshold
/// has; a threshold of 100 must be met exactly. Throws std::runtime_error when the threshold is not between 0 and 100.
bool should_fail_under(double total, double fail_under, int precision);

/// "total of 49 is less than fail-under=50".
std::string fail_under_message(double total, double fail_under, int precision);

}  // namespace qd::report
