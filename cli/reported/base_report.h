// Base report (--base): the full report of an earlier run with which a diff report is compared.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/command_line.h"
#include "cli/reported/diff_selection.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/diff/base_coverage.h"

namespace qd::cli {

void add_base_options(CommandLine& line);

/// File of --base or of the configuration.
std::optional<std::string> base_report_file(const CommandLine& line, const report::Config& config);

/// Reads the report and finds the changes since its commit; null without a report. `changes` is the change of the diff,
/// and `how` the way in which it was found. Keeps references. Throws DataError, GitError, UsageError.
std::unique_ptr<report::BaseComparison> open_base(const CommandLine& line, const report::Config& config,
                                                  const report::Changes& changes, const report::ChangeOptions& how,
                                                  const report::DiffCoverageOptions& options,
                                                  const DiffSelection& selection);

/// Fills in the total that `qd-cov report` would print and, with `base`, lost and gained coverage. An error of `qd-cov
/// report` becomes a note.
void add_overall(report::DiffCoverage& coverage, report::CoverageData& data, const report::Config& config,
                 int python_minor, report::BaseComparison* base);

}  // namespace qd::cli
