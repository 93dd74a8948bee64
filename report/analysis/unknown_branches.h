// Unknown branches of a report: those of kernels that Quadrants measured by lines alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Branches that may have been taken or not, of all files of a report. They are in no percentage.
struct UnknownBranches {
  int64_t n = 0;
  std::vector<std::string> files;    // those that have some
  int64_t n_covered = 0, n_all = 0;  // statements and branches of all files, without these

  /// Adds a file of the report.
  void add(const std::string& file, const Numbers& numbers);
  /// Sentence for the reader; empty when there are none.
  std::string note() const;
  /// Percentage of the report if none of them was taken.
  double lowest_percent() const;
};

}  // namespace qd::report
