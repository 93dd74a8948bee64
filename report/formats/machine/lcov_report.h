// LCOV report: the trace file as coverage.py writes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/formats/machine/machine_report.h"

namespace qd::report {

/// Collects the records of files and writes them in the order of the names that they show. Keeps a reference to
/// `config`, of which skip_empty and lcov_line_checksums are used.
class LcovReport {
 public:
  explicit LcovReport(const Config& config) : config_(config) {}

  /// Renders a file. Thread-safe. The analysis has regions and descriptions.
  RenderedFile render(const AnalyzedFile& analyzed) const;
  void add(RenderedFile&& file);
  void write(const std::function<void(std::string_view)>& out);

  double percent() const { return total_.numbers.pc_total(); }
  const ConditionNumbers& total_conditions() const { return total_.conditions; }
  const GradientNumbers& total_gradients() const { return total_.gradients; }

 private:
  const Config& config_;
  std::vector<std::pair<std::string, std::string>> records_;  // name, text
  ReportTotal total_;
};

}  // namespace qd::report
