// The functions and classes of a file, as the index of the HTML report lists them.
#pragma once

#include <cstdint>
#include <string>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/formats/html/arch_numbers.h"

namespace qd::report {

/// The rows of one kind of region. As in coverage.py, what is outside of them all is a row too, without a name.
struct RegionRows {
  std::string rows;                  // JSON: ["name",first line,numbers...],...
  Numbers total;                     // of all, with those that are not listed
  ConditionNumbers condition_total;  // likewise
  ArchNumbers arch_total;            // likewise
  int32_t skipped_covered = 0, skipped_empty = 0;
};

struct RegionChoice {
  bool skip_covered = false, skip_empty = false;
  bool conditions = false;  // they are part of the rows; a region that lacks some is not covered
};

/// `analysis` was made with AnalysisNeeds::regions. A decision belongs to the region that its statement is in. `archs`:
/// arch_coverage() of it.
RegionRows region_rows(const Analysis& analysis, const std::vector<ArchCoverage>& archs, Region::Kind kind,
                       const RegionChoice& choice);

/// "statements,missing,excluded,branches,partial,missing branches" and, with conditions, "outcomes seen,outcomes,decide
/// alone,conditions".
std::string index_numbers(const Numbers& numbers, const ConditionNumbers* conditions = nullptr);

/// No outcome of a condition is missing, and each was shown to decide alone.
inline bool is_covered(const ConditionNumbers& conditions) {
  return conditions.n_missing_outcomes == 0 && conditions.n_missing_mcdc == 0;
}

}  // namespace qd::report
