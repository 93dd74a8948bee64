// Change options, which define the change, for all commands that look at a change.
#pragma once

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/diff/changes.h"

namespace qd::cli {

/// Adds --compare-branch, --base-sha, --diff-file and the like.
void add_change_options(CommandLine& line);

/// Reads the change options. The command line has priority over [tool.qd-cov.diff]. Throws UsageError.
report::ChangeOptions change_options(const CommandLine& line, const report::DiffConfig& config);

}  // namespace qd::cli
