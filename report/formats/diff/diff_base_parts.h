// Says what several formats say about the comparison with a base report, in the same words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/diff/diff_coverage.h"

namespace qd::report {

/// What is put behind a line of code that lost its coverage.
inline constexpr const char* kLostTag = "lost: base covers it";

/// "coverage 85.7% → 84.2%".
std::string base_totals(const BaseCoverage& base);

/// "3 unchanged lines lost, 2 gained"; names what is not there too.
std::string lost_and_gained(const BaseCoverage& base);

/// Files that lost or gained something, those that lost first.
std::vector<const BaseFile*> lost_and_gained_files(const BaseCoverage& base);

/// The categories that are not empty.
std::vector<Category> used_categories(const BaseCoverage& base);

/// Whether lines or branches are more there than before: categories that a reader is glad of.
bool is_good_category(Category category);
bool is_bad_category(Category category);

}  // namespace qd::report
