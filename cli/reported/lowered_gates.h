// The change that lowers what it has to reach: settings, exclusions and comments of the change itself.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "cli/reported/diff_selection.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/diff/changes.h"

namespace qd::cli {

/// --strict-config.
void add_strict_option(CommandLine& line);

/// With --strict-config, gives `config` the gates, and all that says which lines and files count for them, of the base
/// commit. Throws UsageError when the configuration, not the command line, says what the change is compared with;
/// ConfigError for a configuration of the base that is none.
void apply_strict_option(const CommandLine& line, report::Config& config);

/// "This change excludes 14 lines, lowers fail_under from 90 to 80."; empty when it lowers nothing, when there is no
/// gate (`has_gate`) and was none, or when the base is not known. `config`: whose patterns exclude lines now.
std::string note_of_lowered_gates(const CommandLine& line, const report::Config& config, const report::Changes& changes,
                                  const report::CoverageData& data, const DiffSelection& selection, int python_minor,
                                  bool has_gate);

}  // namespace qd::cli
