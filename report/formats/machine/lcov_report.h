// LCOV report: the trace file as coverage.py writes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/engine/file_analyzer.h"

namespace qd::report {

/// Collects the records of files and writes them in the order of the names that they show. Keeps a reference to
/// `config`, of which skip_empty and lcov_line_checksums are used.
class LcovReport {
 public:
  explicit LcovReport(const Config& config) : config_(config) {}

  struct File {
    const ReportedFile* file = nullptr;
    Numbers numbers;
    ConditionNumbers conditions;
    std::string text;
  };
  /// Renders a file. Thread-safe. The analysis has regions and descriptions.
  File render(const AnalyzedFile& analyzed) const;
  void add(File&& file);
  void write(const std::function<void(std::string_view)>& out);

  /// Percentage of lines and branches together; 0 when there are no statements.
  double percent() const { return total_.n_statements == 0 ? 0 : total_.pc_covered(); }
  const ConditionNumbers& total_conditions() const { return total_conditions_; }

 private:
  const Config& config_;
  std::vector<std::pair<std::string, std::string>> records_;  // name, text
  Numbers total_;
  ConditionNumbers total_conditions_;
};

}  // namespace qd::report
