// Gate options on the command line and in the configuration, and messages about gates that were missed.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/gate/diff_gates.h"

namespace qd::cli {

/// Adds --fail-under and similar options of `qd-cov diff`.
void add_gate_options(CommandLine& line);

/// Reads the gates. Each option of the command line has priority over that of [tool.qd-cov.diff]. Gates against a base
/// report need a base report. Throws UsageError, ConfigError.
report::DiffGateOptions gate_options(const CommandLine& line, const report::Config& config, bool has_base);

/// Sets a threshold to the text of an option, if that is given. Throws UsageError for a text that is no percentage.
void apply_threshold(const CommandLine& line, const std::string& name, std::optional<std::string>& setting);

/// Prints one line on `out` for each gate that is missed, and then returns kFailUnder. Warns of gates that are let
/// pass.
int report_gates(const std::vector<report::GateResult>& gates, std::FILE* out);

}  // namespace qd::cli
