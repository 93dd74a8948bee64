// The coverage table, for the commands that end with it.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"

namespace qd::cli {

/// Prints the table of what `config.data_file` holds as [report] in `config` asks (of `files` alone when there are
/// any); kFailUnder when the total is below fail_under, which is then said. `python_version` ("3.12") is that of the
/// Python that ran the code; none: that of the active virtual environment. `kernel_states`: what is missing in kernels
/// follows the table. Throws DataError, NoSource, NotPython, ConfigError.
int print_report(const report::Config& config, const Arguments& files = {},
                 const std::optional<std::string>& python_version = {}, bool kernel_states = false,
                 std::FILE* out = stdout);

}  // namespace qd::cli
