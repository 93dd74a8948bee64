// Kernel states: a table of missing lines of kernels, by reason, below the table of `qd-cov report`.
#pragma once

#include <string>
#include <vector>

#include "report/analysis/analysis.h"
#include "report/formats/tables/summary_table.h"

namespace qd::report {

class KernelStatesTable {
 public:
  void add(const Analysis& analysis);
  /// Starts with an empty line; empty when no line is missing, or when the format is a total.
  std::string text(TableFormat format) const;

 private:
  using Row = std::vector<std::string>;  // cells in the order of the header
  std::vector<Row> rows_;
};

}  // namespace qd::report
