// Parts about the comparison with a base report, which several formats have in the same words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/diff/diff_coverage.h"

namespace qd::report {

/// Tag behind a line of code that lost its coverage.
inline constexpr const char* kLostTag = "lost: base covers it";

/// Totals: "coverage 85.7% → 84.2%".
std::string base_totals(const BaseCoverage& base);

/// Summary: "3 unchanged lines lost, 2 gained"; with zeros, too.
std::string lost_and_gained(const BaseCoverage& base);

/// Files with lost or gained coverage, those with losses first.
std::vector<const BaseFile*> lost_and_gained_files(const BaseCoverage& base);

/// Categories that are not empty.
std::vector<Category> used_categories(const BaseCoverage& base);

/// Whether a larger category is an improvement, such as gained baseline coverage.
bool is_good_category(Category category);
bool is_bad_category(Category category);

}  // namespace qd::report
