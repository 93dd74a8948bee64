// Change options, which define the change, for all commands that look at a change; and diff-cover's names for them.
#pragma once

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/diff/changes.h"

namespace qd::cli {

/// Adds --compare-branch, --base-sha, --diff-file and the like.
void add_change_options(CommandLine& line);

/// Reads the change options. The command line has priority over [tool.qd-cov.diff]. Throws UsageError.
report::ChangeOptions change_options(const CommandLine& line, const report::DiffConfig& config);

// diff-cover options in users' scripts: options of `qd-cov diff` under diff-cover's names.

/// Adds --include, --omit and --exclude, which choose changed files.
void add_file_options(CommandLine& line);
void add_diff_cover_options(CommandLine& line);

/// Reads the file of --config-file over `config`. Throws ConfigError.
void read_diff_cover_settings(const CommandLine& line, report::Config& config);
/// Applies the options to `config.diff` and to the patterns of files. Throws UsageError.
void apply_diff_cover_options(const CommandLine& line, report::Config& config);

}  // namespace qd::cli
