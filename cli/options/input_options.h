// Input options about reports of other tools, for every command that reads them.
#pragma once

#include "cli/command_line.h"
#include "report/config/config.h"

namespace qd::cli {

/// Adds --src-roots: base folders of names in reports.
void add_src_roots_option(CommandLine& line);
/// Adds --src-roots, and --exclude-throw-branches for commands that show numbers.
void add_input_options(CommandLine& line);
/// Stores the given options in `config`.
void apply_input_options(const CommandLine& line, report::Config& config);

}  // namespace qd::cli
