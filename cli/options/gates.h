// Gates on the command line and in the configuration, and what is said of those that were missed.
#pragma once

#include <cstdio>
#include <vector>

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/gate/diff_gates.h"

namespace qd::cli {

/// --fail-under and its like, of `qd-cov diff`.
void add_gate_options(CommandLine& line);

/// What the command line says goes over [tool.qd-cov.diff], option by option. Gates against a base report need one.
/// Throws UsageError, ConfigError.
report::DiffGateOptions gate_options(const CommandLine& line, const report::Config& config, bool has_base);

/// kFailUnder with one line on `out` for each gate that is missed; those that are let pass are warned of.
int report_gates(const std::vector<report::GateResult>& gates, std::FILE* out);

}  // namespace qd::cli
