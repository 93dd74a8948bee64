// The coverage table, for the commands that end with it.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"

namespace qd::cli {

/// Prints the table of what `config.data_file` holds as [report] in `config` asks (of `files` alone when there are any); kFailUnder when the
/// total is below fail_under, which is then said. `python_version` ("3.12") is that of the Python that ran the code; none: that of the
/// active virtual environment. Throws DataError, NoSource, NotPython, ConfigError.
int print_report(const report::Config& config, const Arguments& files = {}, const std::optional<std::string>& python_version = {});

/// Does what is left to combine beside the data file: parts of coverage.py go in (and go, unless `keep`), kernel data is pointed out.
void combine_parts(const report::Config& config, bool keep);

/// What the data file of `config` holds, with the paths that [paths] says. Throws DataError.
report::CoverageData read_mapped_data(const report::Config& config);

/// 12 for "3.12", or for nothing in the virtual environment of a Python 3.12. Throws UsageError.
int python_minor(const std::optional<std::string>& version);

}  // namespace qd::cli
