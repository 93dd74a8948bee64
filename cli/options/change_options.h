// The options that say what the change is, for all commands that look at a change.
#pragma once

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/diff/changes.h"

namespace qd::cli {

/// --compare-branch, --base-sha, --diff-file and their like.
void add_change_options(CommandLine& line);

/// The change options. The command line has priority over [tool.qd-cov.diff]. Throws UsageError.
report::ChangeOptions change_options(const CommandLine& line, const report::DiffConfig& config);

}  // namespace qd::cli
