// Python version, found without starting Python. The settings of a virtual environment name its version; so does the
// program to which `python3` is a link.
#include "cli/python/python_version.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "cli/command_line.h"
#include "report/analysis/analysis.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

std::optional<int> minor_of_environment(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_regular_file(folder / "pyvenv.cfg", error)) return std::nullopt;
  std::ifstream file(folder / "pyvenv.cfg");
  for (std::string line; std::getline(file, line);) {
    int minor = 0;
    if (std::sscanf(line.c_str(), "version = 3.%d", &minor) == 1 ||
        std::sscanf(line.c_str(), "version_info = 3.%d", &minor) == 1)
      return minor;
  }
  return std::nullopt;
}

/// Minor version of a program such as /usr/bin/python3, a link to python3.11. Nothing for a program that only starts
/// another one.
std::optional<int> minor_of_program(const fs::path& program) {
  if (auto minor = minor_of_environment(program.parent_path().parent_path())) return minor;
  std::error_code error;
  std::string name = fs::canonical(program, error).filename().string();
  int minor = 0, end = 0;
  if (!error && std::sscanf(name.c_str(), "python3.%d%n", &minor, &end) == 1 && static_cast<size_t>(end) == name.size())
    return minor;
  return std::nullopt;
}

/// Pythons in the order in which a shell would find them.
std::vector<fs::path> pythons_on_path() {
  std::vector<fs::path> programs;
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "";
  for (const char* name : {"python3", "python"}) {
    for (size_t start = 0; start <= folders.size();) {
      size_t end = std::min(folders.find(':', start), folders.size());
      fs::path program = fs::path(folders.substr(start, end - start)) / name;
      std::error_code error;
      if (end > start && fs::is_regular_file(program, error)) programs.push_back(std::move(program));
      start = end + 1;
    }
  }
  return programs;
}

/// Python of the active virtual environment, then those on the PATH.
std::vector<PythonCandidate> shell_pythons() {
  std::vector<PythonCandidate> programs;
  const char* environment = std::getenv("VIRTUAL_ENV");
  if (environment && *environment)
    for (const char* name : {"python3", "python"}) {
      std::error_code error;
      if (fs::path program = fs::path(environment) / "bin" / name; fs::is_regular_file(program, error))
        programs.push_back({program.string(), "the Python of the active virtual environment", true});
    }
  for (const fs::path& program : pythons_on_path())
    programs.push_back({program.string(), "the first Python on the PATH that has coverage.py"});
  return programs;
}

int default_minor() {
  const char* environment = std::getenv("VIRTUAL_ENV");
  if (environment && *environment)
    if (auto minor = minor_of_environment(environment)) return *minor;
  if (auto programs = pythons_on_path(); !programs.empty())
    if (auto minor = minor_of_program(programs[0])) return *minor;
  return report::kDefaultPythonMinor;
}

}  // namespace

std::optional<PythonCandidate> python_program() {
  std::vector<PythonCandidate> programs = shell_pythons();
  return programs.empty() ? std::nullopt : std::optional(programs[0]);
}

std::vector<PythonCandidate> pythons_to_try() {
  std::error_code error;
  std::vector<PythonCandidate> programs = shell_pythons();
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!program.empty())
    programs.push_back(
        {(program.parent_path() / "python3").string(), "the Python beside qd-cov, as no other one has coverage.py"});
  std::vector<PythonCandidate> result;
  for (const PythonCandidate& python : programs) {
    const bool known = std::any_of(result.begin(), result.end(),
                                   [&](const PythonCandidate& other) { return other.program == python.program; });
    if (!known && access(python.program.c_str(), X_OK) == 0 && fs::is_regular_file(python.program, error))
      result.push_back(python);
  }
  return result;
}

int python_minor(const std::optional<std::string>& version) {
  if (!version) return default_minor();
  int minor = 0, end = 0;
  if (std::sscanf(version->c_str(), "3.%d%n", &minor, &end) != 1 || static_cast<size_t>(end) != version->size())
    throw UsageError(fmt::format("option --python: '{}' is no version like 3.12", *version));
  return minor;
}

}  // namespace qd::cli
