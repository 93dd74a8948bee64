// Numbers as text: percentages as coverage.py shows them, and shares of branches.
#pragma once

#include <cstdint>
#include <string>

namespace qd::report {

/// A percentage with `precision` decimals; never rounded to 0 or 100 unless it is.
std::string display_covered(double pc, int precision);

/// "1 of 2 branches", "1 of 1 branch".
std::string share_of_branches(int64_t n, int64_t total);

}  // namespace qd::report
