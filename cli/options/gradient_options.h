// Gradient options: whether gradients are shown, and their threshold.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "report/analysis/gradients.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"

namespace qd::cli {

/// Adds --gradients and --fail-under-gradients.
void add_gradient_options(CommandLine& line);

/// Reads them into `config`. Throws UsageError for a threshold that is no percentage.
void apply_gradient_options(const CommandLine& line, report::Config& config);

/// Warns of data without gradients, when they are shown.
void warn_of_gradients(const report::CoverageData& data, const report::Config& config);
/// Warns of gradients of another version of a source.
void warn_of_stale_gradients(const std::string& file, const report::FileGradients& gradients,
                             const report::Config& config);

}  // namespace qd::cli
