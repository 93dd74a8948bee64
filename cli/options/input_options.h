// Options about reports of other tools, which every command has that reads them.
#pragma once

#include "cli/command_line.h"
#include "report/config/config.h"

namespace qd::cli {

/// --src-roots: how names in reports become files.
void add_src_roots_option(CommandLine& line);
/// --src-roots, and --exclude-throw-branches of commands that show numbers.
void add_input_options(CommandLine& line);
/// Puts into `config` what was given of them.
void apply_input_options(const CommandLine& line, report::Config& config);

}  // namespace qd::cli
