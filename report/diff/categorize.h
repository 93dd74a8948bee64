// Categorisation of the lines and branches of one file.
#pragma once

#include "report/analysis/analysis.h"
#include "report/diff/base_categories.h"
#include "report/diff/line_tracker.h"
#include "report/inputs/coverage_json.h"

namespace qd::report {

/// Map from present lines to lines of the base.
struct FollowedLines {
  bool all_new = false;  // the base does not have the file
  LineTracker tracker;   // without spans: unchanged
};

/// Fills the lists of `result`. `base` is null when the base report does not have the file. Branches are compared only
/// with `branches`.
void categorize(const CoverageJsonFile* base, const FollowedLines& lines, const Analysis& analysis, bool branches,
                BaseFile& result);

/// Reason why the lines of `base` cannot be those of a source with this analysis; empty when they can.
std::string misfit(const CoverageJsonFile& base, const SourceAnalysis& source);

}  // namespace qd::report
