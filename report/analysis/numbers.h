// Percentages as coverage.py shows them.
#pragma once

#include <string>

namespace qd::report {

/// A percentage with `precision` decimals; never rounded to 0 or 100 unless it is.
std::string display_covered(double pc, int precision);

}  // namespace qd::report
