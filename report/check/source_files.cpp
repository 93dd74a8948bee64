// Source files of the project. Files that git ignores are none. Without git, hidden folders and environments are not.
#include "report/check/source_files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "report/analysis/analysis.h"
#include "report/config/glob_matcher.h"
#include "report/config/source_filter.h"
#include "report/diff/git.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

bool list_by_git(const std::string& folder, std::set<std::string>& files) {
  GitOutput listed;
  try {
    // Names have to start at the folder, which is not the top of a working tree just because a hook or a shell has set
    // GIT_DIR.
    listed = run_git(folder, {"ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "*.py", "*.pyw"},
                     {}, {"GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE"});
  } catch (const GitError&) {
    return false;
  }
  if (listed.exit_code != 0) return false;
  for (const std::string& path : split_nul(listed.out)) files.insert(folder + "/" + path);
  return true;
}

void walk(const std::string& folder, std::set<std::string>& files) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       at != end; at.increment(error)) {
    if (error) break;
    std::string name = at->path().filename().string();
    if (at->is_directory(error)) {
      if (name.starts_with('.') || name == "node_modules" || fs::exists(at->path() / "pyvenv.cfg", error))
        at.disable_recursion_pending();
    } else if (is_python_name(name)) {
      files.insert(at->path().string());
    }
  }
}

GlobMatcher matcher(const OptionalList& patterns) {
  return GlobMatcher(prepare_patterns(patterns.value_or(StringList{})));
}

}  // namespace

std::vector<std::string> source_files(const CheckInput& input) {
  const Config& config = input.config;
  StringList folders = config.source_dirs;
  bool has_packages = !config.source_pkgs.empty();
  for (const std::string& source : config.source.value_or(StringList{}))
    if (fs::is_directory(source))
      folders.push_back(source);
    else
      has_packages = true;
  if (folders.empty() || has_packages) folders.push_back(".");
  std::set<std::string> found;
  for (const std::string& folder : folders) {
    std::string absolute = absolute_path(folder);
    if (!list_by_git(absolute, found)) walk(absolute, found);
  }
  for (const auto& [path, file] : input.data().files)
    if (is_python_name(path)) found.insert(absolute_path(path));

  const SourceFilter filter(config);
  const GlobMatcher include = matcher(config.report_include), omit = matcher(config.report_omit);
  std::vector<std::string> result;
  for (const std::string& path : found) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || !filter.measures(path)) continue;
    if ((include.empty() || include.match(path)) && !omit.match(path)) result.push_back(path);
  }
  if (result.empty())
    throw NoDataError(
        "No source files to look for kernels in: see [run] source, include and omit of the configuration.");
  return result;
}

}  // namespace qd::report
