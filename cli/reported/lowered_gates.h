// Lowered gates: a change that lowers its own requirements, by settings, exclusions and comments.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "cli/reported/diff_selection.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/diff/changes.h"

namespace qd::cli {

/// Adds --strict-config.
void add_strict_option(CommandLine& line);

/// With --strict-config, gives `config` the gates of the base commit, and all settings that select lines and files for
/// them. Throws UsageError when the base of the comparison comes from the configuration, not from the command line;
/// ConfigError for an invalid configuration of the base.
void apply_strict_option(const CommandLine& line, report::Config& config);

/// Note for the report: "This change excludes 14 lines, lowers fail_under from 90 to 80."; empty when it lowers
/// nothing, when there is no gate (`has_gate`) and was none, or when the base is not known. `config` has the present
/// patterns.
std::string note_of_lowered_gates(const CommandLine& line, const report::Config& config, const report::Changes& changes,
                                  const report::CoverageData& data, const DiffSelection& selection, int python_minor,
                                  bool has_gate);

}  // namespace qd::cli
