// Python version that ran the code: versions differ in the lines that are statements.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace qd::cli {

/// Minor version: 12 for "3.12". Without `version`, that of the active virtual environment, else of the first python3
/// or python on the PATH, as far as files tell; else report::kDefaultPythonMinor. Throws UsageError.
int python_minor(const std::optional<std::string>& version);

struct PythonCandidate {
  std::string program;
  std::string place;            // for a message: "the Python of the active virtual environment"
  bool of_environment = false;  // VIRTUAL_ENV names it
};

/// Python that a shell would start: that of the active virtual environment, else the first python3 or python on the
/// PATH.
std::optional<PythonCandidate> python_program();

/// That Python, and other candidates: the others on the PATH, and one beside this program.
std::vector<PythonCandidate> pythons_to_try();

}  // namespace qd::cli
