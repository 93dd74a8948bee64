// Coverage table, for commands that end with it.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/reported/reported_data.h"
#include "report/config/config.h"

namespace qd::cli {

/// Prints the table of the data in `config.data_file`, as [report] in `config` asks, or of `files` alone when there are
/// any. When the total is below fail_under, reports it and returns kFailUnder. `python_version` ("3.12") is that of the
/// Python that ran the code; none: that of the active virtual environment. With `kernel_states`, a table of missing
/// kernel lines follows. With `lacking` data no gate is met. Throws DataError, NoSource, NotPython, ConfigError.
int print_report(const report::Config& config, const Arguments& files = {},
                 const std::optional<std::string>& python_version = {}, bool kernel_states = false,
                 std::FILE* out = stdout, LackingData lacking = {});

}  // namespace qd::cli
