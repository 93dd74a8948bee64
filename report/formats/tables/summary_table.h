// Summary table of `coverage report`: text, markdown or the total alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/config/config.h"
#include "report/formats/tables/summary_layouts.h"

namespace qd::report {

enum class TableFormat { kText, kMarkdown, kTotal, kTotalConditions, kTotalMcdc };

/// Parses a format. Throws ConfigError "Unknown report format choice: '...'".
TableFormat table_format(const std::optional<std::string>& name);

/// Collects the files of a report in the order of their analyses and prints their table.
class SummaryTable {
 public:
  /// Of `config`, precision, skip_covered, skip_empty, show_missing, conditions, gradients, sort and format are used.
  /// `archs`: the archs that have columns. `terminal`: the output's properties. Throws ConfigError.
  SummaryTable(const Config& config, bool branches, const std::vector<std::string>& archs = {},
               const TerminalStyle& terminal = {});

  /// `archs`: with Config::by_arch, arch_coverage() of the file.
  void add(const Analysis& analysis, const std::vector<ArchCoverage>& archs = {});
  /// The whole report, each line ended by '\n'. Throws NoDataError when there is no file, ConfigError on a bad sort or
  /// precision.
  std::string text() const;
  const Numbers& total() const { return total_; }
  const ConditionNumbers& total_conditions() const { return total_conditions_; }
  const GradientNumbers& total_gradients() const { return total_gradients_; }

 private:
  struct Row {
    std::string name;
    Numbers numbers;
    ConditionNumbers conditions;
    GradientNumbers gradients;
    std::vector<Numbers> archs;
    std::string missing;
    bool kernels = false;
  };

  bool is_for_terminal() const { return terminal_.on && format_ == TableFormat::kText; }
  std::vector<const Row*> sorted_rows() const;
  SummaryLine line_of(const Row& row) const;
  Row total_row() const { return {"TOTAL", total_, total_conditions_, total_gradients_, total_archs_, ""}; }
  std::string missing_of(const Analysis& analysis, const std::vector<ArchCoverage>& archs) const;
  void note_kernels(const Analysis& analysis);
  std::string end_lines() const;
  std::string kernel_lines() const;
  std::string total_line() const;

  const Config& config_;
  bool branches_;
  TableFormat format_;
  TerminalStyle terminal_;
  std::vector<std::string> header_;
  size_t cover_;  // index of the column Cover, before those of archs
  std::vector<Row> rows_;
  Numbers total_;
  ConditionNumbers total_conditions_;
  GradientNumbers total_gradients_;
  std::vector<std::string> archs_;
  std::vector<Numbers> total_archs_;
  int n_skipped_ = 0, n_empty_ = 0;
  std::vector<std::string> missing_conditions_;                            // "pkg/mod.py:8: a never true"
  std::vector<std::string> never_launched_, never_called_, uncompilable_;  // kernels: "limit (pkg/mod.py:10)"
  int64_t n_kernels_ = 0;
};

}  // namespace qd::report
