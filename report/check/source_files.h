// Source files of the project, measured or not.
#pragma once

#include <string>
#include <vector>

#include "report/check/check.h"

namespace qd::report {

/// Returns the absolute paths of the project's Python files, sorted. They are in the source folders, or in the current
/// folder when there are none, or in the data; and [run] source, include and omit and [report] include and omit admit
/// them. Files that git ignores (build folders, environments) are no sources. Throws ConfigError, NoDataError.
std::vector<std::string> source_files(const CheckInput& input);

}  // namespace qd::report
