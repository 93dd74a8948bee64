// Coverage badge: a small picture with the total.
#pragma once

#include <string>

#include "report/analysis/analysis.h"

namespace qd::report {

/// SVG, 20 pixels high, with `label` on the left and coverage.py's total on the right. No element in it has an id, so
/// many can be in one page.
std::string badge(const std::string& label, const Numbers& total, int precision);

}  // namespace qd::report
