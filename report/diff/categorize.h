// The categories of one file's lines and branches.
#pragma once

#include "report/analysis/analysis.h"
#include "report/diff/base_categories.h"
#include "report/diff/line_tracker.h"
#include "report/inputs/coverage_json.h"

namespace qd::report {

/// Which line of the base a line now was.
struct FollowedLines {
  bool all_new = false;  // the base does not have the file
  LineTracker tracker;   // without spans: it is as it was
};

/// Fills the lists of `result`. `base` is null where the base report does not have the file. Branches are compared with
/// `branches` alone.
void categorize(const CoverageJsonFile* base, const FollowedLines& lines, const Analysis& analysis, bool branches,
                BaseFile& result);

/// Why the lines of `base` can't be those of a source with this analysis; empty when they can.
std::string misfit(const CoverageJsonFile& base, const SourceAnalysis& source);

}  // namespace qd::report
