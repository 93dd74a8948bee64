// Sorts the lines and branches of one file into categories.
#pragma once

#include "report/analysis/analysis.h"
#include "report/diff/base_categories.h"
#include "report/diff/line_tracker.h"
#include "report/inputs/coverage_json.h"

namespace qd::report {

/// Says which line of the base a line of today was.
struct FollowedLines {
  bool all_new = false;  // the base does not have the file
  LineTracker tracker;   // without spans: it is as it was
};

/// Fills the lists of `result`. `base` is null when the base report does not have the file. Branches are compared only
/// with `branches`.
void categorize(const CoverageJsonFile* base, const FollowedLines& lines, const Analysis& analysis, bool branches,
                BaseFile& result);

/// Why the lines of `base` cannot be those of a source with this analysis; empty when they can.
std::string misfit(const CoverageJsonFile& base, const SourceAnalysis& source);

}  // namespace qd::report
