// Condition options: whether conditions are shown, and their thresholds.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "report/analysis/conditions/conditions.h"
#include "report/config/config.h"
#include "report/gate/diff_gates.h"

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

/// Note for the reader of a report about missing condition data and its effect on the numbers. Empty when there is
/// some, or none to record.
std::string note_of_conditions(const report::CoverageData& data, const report::ConditionNumbers& numbers);

/// Returns the gates that `config` asks for. Without any recorded condition a gate is missed, unless kernels have no
/// conditions.
std::vector<report::GateResult> condition_gates(const report::CoverageData& data,
                                                const report::ConditionNumbers& numbers, const report::Config& config);

/// Prints one line on `out` for each gate that is missed, and then returns kFailUnder.
int check_condition_gates(const report::CoverageData& data, const report::ConditionNumbers& numbers,
                          const report::Config& config, std::FILE* out);

}  // namespace qd::cli
