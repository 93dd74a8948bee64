// Which Python ran the code: versions differ in what is a statement.
#pragma once

#include <optional>
#include <string>

namespace qd::cli {

/// 12 for "3.12". For nothing that of the active virtual environment, else of the first python3 or python on the PATH, as far as files tell; else
/// report::kDefaultPythonMinor. Throws UsageError.
int python_minor(const std::optional<std::string>& version);

}  // namespace qd::cli
