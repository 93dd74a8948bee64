// A badge: one small picture that says how much is covered.
#pragma once

#include <string>

#include "report/analysis/analysis.h"

namespace qd::report {

/// SVG, 20 pixels high, with `label` on the left and coverage.py's total on the right. Nothing in it has an id, so that
/// many can stand in one page.
std::string badge(const std::string& label, const Numbers& total, int precision);

}  // namespace qd::report
