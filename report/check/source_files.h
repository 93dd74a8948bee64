// The source files of the project, measured or not.
#pragma once

#include <string>
#include <vector>

#include "report/check/check.h"

namespace qd::report {

/// Absolute paths of Python files that [run] source, include and omit and [report] include and omit take in, sorted: of
/// the source folders, or of the current folder where there are none, and of the data. git says what is no source
/// (build folders, environments), where there is one. Throws ConfigError, NoDataError.
std::vector<std::string> source_files(const CheckInput& input);

}  // namespace qd::report
