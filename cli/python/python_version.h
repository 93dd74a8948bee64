// Which Python ran the code: versions differ in what is a statement.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qd::cli {

/// 12 for "3.12". For nothing that of the active virtual environment, else of the first python3 or python on the PATH,
/// as far as files tell; else report::kDefaultPythonMinor. Throws UsageError.
int python_minor(const std::optional<std::string>& version);

/// The Python that a shell would start: that of the active virtual environment, else the first python3 or python on the
/// PATH.
std::optional<std::filesystem::path> python_program();
/// That one, and those that the user may mean else: others on the PATH, one beside this program.
std::vector<std::string> pythons_to_try();

}  // namespace qd::cli
