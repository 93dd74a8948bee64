// Project of the current folder: name, commit and branch, as far as they are known.
#include "cli/output/project.h"

#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <variant>
#include <vector>

#include "report/config/config_file.h"
#include "report/diff/git.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

/// Name in a folder's pyproject.toml; empty when there is none.
std::string named_in(const fs::path& folder) {
  try {
    const std::optional<report::ConfigFile> file =
        report::read_toml((folder / "pyproject.toml").string(), /*our_file=*/false);
    if (!file) return "";
    for (const char* section : {"project", "tool.poetry"})
      for (const report::ConfigSection& one : file->sections)
        if (const report::ConfigValue* name = one.name == section ? one.find("name") : nullptr)
          if (const auto* text = std::get_if<std::string>(&name->value)) return *text;
  } catch (const report::InvalidFile&) {
    // The reader of the configuration has told it.
  }
  return "";
}

}  // namespace

Project project_here() {
  Project project;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  fs::path top = here;
  try {
    const report::GitOutput git =
        report::run_git(".", {"rev-parse", "--show-toplevel", "HEAD", "--abbrev-ref", "HEAD"});
    std::vector<std::string> lines;
    std::istringstream out(git.out);
    for (std::string line; std::getline(out, line);) lines.push_back(std::move(line));
    if (git.exit_code == 0 && lines.size() == 3) {
      top = lines[0];
      project.commit = lines[1];
      if (lines[2] != "HEAD") project.branch = lines[2];
    }
  } catch (const report::GitError&) {
    // Without git there is no commit.
  }
  project.name = named_in(here);
  if (project.name.empty() && top != here) project.name = named_in(top);
  if (project.name.empty()) project.name = top.filename().string();
  return project;
}

}  // namespace qd::cli
