// Rows of regions: the functions and classes of a file, for the index of the HTML report.
#pragma once

#include <cstdint>
#include <string>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/formats/html/arch_numbers.h"

namespace qd::report {

/// Rows of one kind of region. As in coverage.py, the lines outside of all regions are a row too, without a name.
struct RegionRows {
  std::string rows;                  // JSON: ["name",first line,numbers...],...
  Numbers total;                     // of all regions, also those that are not listed
  ConditionNumbers condition_total;  // likewise
  GradientNumbers gradient_total;    // likewise
  ArchNumbers arch_total;            // likewise
  int32_t skipped_covered = 0, skipped_empty = 0;
};

struct RegionChoice {
  bool skip_covered = false, skip_empty = false;
  bool conditions = false;  // conditions are part of the rows; a region with missing outcomes is not covered
  bool gradients = false;   // likewise; a region with lines never differentiated is not covered
};

/// `analysis` was made with AnalysisNeeds::regions. A decision belongs to the region of its statement. `archs`:
/// arch_coverage() of the analysis.
RegionRows region_rows(const Analysis& analysis, const std::vector<ArchCoverage>& archs, CodeRegion::Kind kind,
                       const RegionChoice& choice);

/// Numbers in the index: "statements,missing,excluded,branches,partial,missing branches", with gradients "lines that
/// were differentiated,lines that a derivative passes through", and with conditions "outcomes seen,outcomes,decide
/// alone,conditions".
std::string index_numbers(const Numbers& numbers, const GradientNumbers* gradients, const ConditionNumbers* conditions);

/// Numbers of the lines in some ranges.
GradientNumbers gradients_within(const FileGradients& gradients, const LineRanges& ranges);

/// Whether no outcome of a condition is missing, and each condition was shown to decide alone.
inline bool is_covered(const ConditionNumbers& conditions) {
  return conditions.n_missing_outcomes == 0 && conditions.n_missing_mcdc == 0;
}

}  // namespace qd::report
