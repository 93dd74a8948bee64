// Condition options: whether conditions are shown, and their thresholds.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "report/analysis/conditions/conditions.h"
#include "report/config/config.h"

namespace qd::cli {

/// Adds --conditions, --fail-under-conditions and --fail-under-mcdc.
void add_condition_options(CommandLine& line);

/// Applies the options to `config`. The command line has priority over [tool.qd-cov]. Throws UsageError for a threshold
/// that is no percentage.
void apply_condition_options(const CommandLine& line, report::Config& config);

/// Warns of conditions for which no data was recorded, or whose data is of another source: then the numbers are lower
/// than they could be.
void warn_of_conditions(const report::CoverageData& data, const report::ConditionNumbers& numbers,
                        const report::Config& config);
void warn_of_stale_conditions(const std::string& file, const report::FileConditions& conditions);

}  // namespace qd::cli
