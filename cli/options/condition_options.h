// Conditions on the command line: shown, and gated.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "report/analysis/conditions/conditions.h"
#include "report/config/config.h"
#include "report/gate/diff_gates.h"

namespace qd::cli {

/// --conditions, --fail-under-conditions and --fail-under-mcdc.
void add_condition_options(CommandLine& line);

/// What the command line says goes over [tool.qd-cov]. Throws UsageError for a threshold that is no percentage.
void apply_condition_options(const CommandLine& line, report::Config& config);

/// Warns of what makes the numbers less than they could be: conditions of which no data was recorded, or of another
/// source.
void warn_of_conditions(const report::CoverageData& data, const report::ConditionNumbers& numbers,
                        const report::Config& config);
void warn_of_stale_conditions(const std::string& file, const report::FileConditions& conditions);

/// What no recorded data means for the numbers, for the reader of a report; empty when there is some, or nothing to
/// record.
std::string note_of_conditions(const report::CoverageData& data, const report::ConditionNumbers& numbers);

/// The gates that `config` asks for. Without any recorded condition a gate is closed, unless kernels have none.
std::vector<report::GateResult> condition_gates(const report::CoverageData& data,
                                                const report::ConditionNumbers& numbers, const report::Config& config);

/// kFailUnder with one line on `out` for each gate that is missed.
int check_condition_gates(const report::CoverageData& data, const report::ConditionNumbers& numbers,
                          const report::Config& config, std::FILE* out);

}  // namespace qd::cli
