// The functions and classes of a file, as the index of the HTML report lists them.
#pragma once

#include <cstdint>
#include <string>

#include "report/analysis/analysis.h"

namespace qd::report {

/// The rows of one kind of region. As in coverage.py, what is outside of them all is a row too, without a name.
struct RegionRows {
  std::string rows;  // JSON: ["name",first line,numbers...],...
  Numbers total;     // of all, with those that are not listed
  int32_t skipped_covered = 0, skipped_empty = 0;
};

struct RegionChoice {
  bool skip_covered = false, skip_empty = false;
};

/// `analysis` was made with AnalysisNeeds::regions.
RegionRows region_rows(const Analysis& analysis, Region::Kind kind, const RegionChoice& choice);

/// "statements,missing,excluded,branches,partial,missing branches" and, with conditions, "outcomes seen,outcomes,decide alone,conditions".
std::string index_numbers(const Numbers& numbers, const ConditionNumbers* conditions = nullptr);

}  // namespace qd::report
