// Result of a change in a few words, for headings and titles.
#pragma once

#include <string>
#include <vector>

#include "report/formats/diff/diff_formats.h"

namespace qd::report {

/// More missed gates than these are not named in result_words(), but for the first one.
inline constexpr size_t kMostGatesInHeading = 2;

/// Percentage of the change and result of the gates, as plain text: "Diff coverage: 73.3%, below 90%".
std::string result_words(const DiffCoverage& coverage, const DiffStyle& style);
/// Missed gates in words, that of the change as a whole first.
std::vector<std::string> missed_gates(const DiffCoverage& coverage, const DiffStyle& style);

}  // namespace qd::report
