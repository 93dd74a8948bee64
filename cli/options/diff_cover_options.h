// diff-cover options in users' scripts: options of `qd-cov diff` under diff-cover's names.
#pragma once

#include "cli/command_line.h"
#include "report/config/config.h"

namespace qd::cli {

void add_diff_cover_options(CommandLine& line);

/// Reads the file of --config-file over `config`. Throws ConfigError.
void read_diff_cover_settings(const CommandLine& line, report::Config& config);
/// Applies the options to `config.diff` and to the patterns of files. Throws UsageError.
void apply_diff_cover_options(const CommandLine& line, report::Config& config);

}  // namespace qd::cli
