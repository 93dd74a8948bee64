// Numbers of functions and classes, cut out of the analysis of a file. A file may have hundreds of them, so they are
// not analysed one by one.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Physical lines from the first to the second, both included. Several ranges are sorted, and do not touch each other.
using LineRange = std::pair<int32_t, int32_t>;
using LineRanges = std::vector<LineRange>;
inline constexpr LineRange kAllLines = {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};

/// Ranges of consecutive lines. `lines` are sorted.
LineRanges ranges_of(const std::vector<int32_t>& lines);

/// The lines from 1 to `n_lines` that are in none of `ranges`, which may come in any order.
LineRanges ranges_outside(LineRanges ranges, int32_t n_lines);

/// The lines that are in `some` and in `others`.
LineRanges common_ranges(const LineRanges& some, const LineRanges& others);

/// The numbers of coverage.py's AnalysisNarrower.
struct AnalysisPart {
  Numbers numbers;
  std::vector<int32_t> executed, missing, excluded;
  std::vector<Arc> executed_branches, missing_branches;
};

/// Keeps a reference to the analysis.
class AnalysisParts {
 public:
  explicit AnalysisParts(const Analysis& analysis);

  /// Fills `part`, whose memory is used again.
  void cut(const LineRanges& ranges, AnalysisPart& part) const;
  size_t count_statements(const LineRanges& ranges) const;

 private:
  struct BranchLine {
    int32_t line;
    int32_t exits, taken;
  };
  const Analysis& analysis_;
  bool counts_alone_;  // its branches have no destinations
  std::vector<BranchLine> branch_lines_;
  std::vector<Arc> executed_branches_;
  std::vector<Arc> open_branches_;  // not executed and not forgiven; includes those to excluded lines
};

}  // namespace qd::report
