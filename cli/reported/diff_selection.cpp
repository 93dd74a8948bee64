// Diff selection. Files without data are chosen as coverage.py chooses files to measure: it would have measured them,
// if a test had imported them.
#include "cli/reported/diff_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/config/path_aliases.h"
#include "report/diff/data_paths.h"
#include "report/diff/git.h"

namespace qd::cli {

namespace {

report::GlobMatcher patterns(const std::optional<report::StringList>& list) {
  return report::GlobMatcher(report::prepare_patterns(list.value_or(report::StringList{})));
}

/// Whether a path matches, or the resolved path: patterns that begin with a name are made absolute without links, as in
/// coverage.py.
bool matches(const report::GlobMatcher& matcher, const std::string& path) {
  return !matcher.empty() && (matcher.match(path) || matcher.match(report::canonical_path(path)));
}

}  // namespace

DiffSelection::DiffSelection(const report::Config& config, const std::string& root)
    : include_text_(config.report_include && !config.report_include->empty() ? config.report_include->front() : ""),
      report_include_(patterns(config.report_include)),
      report_omit_(patterns(config.report_omit)),
      run_include_(patterns(config.run_include)),
      run_omit_(patterns(config.run_omit)) {
  for (const std::string& source : config.source.value_or(report::StringList{})) add_source(source, root);
  for (const std::string& source : config.source_dirs) add_source(source, root);
  only_sources_ = only_sources_ && config.source_pkgs.empty();
}

bool DiffSelection::wanted(const std::string& path, bool measured) const {
  if (!report_include_.empty() && !matches(report_include_, path)) return false;
  if (measured) return !matches(report_omit_, path);
  const std::string real = report::canonical_path(path);
  auto inside = [&](const std::string& folder) { return path.starts_with(folder) || real.starts_with(folder); };
  if (!sources_.empty() && only_sources_ && std::none_of(sources_.begin(), sources_.end(), inside)) return false;
  if (sources_.empty() && !run_include_.empty() && !matches(run_include_, path)) return false;
  return !omitted(path);
}

bool DiffSelection::omitted(const std::string& path) const {
  return matches(report_omit_, path) || matches(run_omit_, path);
}

void DiffSelection::check_include(const std::string& root, const std::vector<std::string>& paths) const {
  if (report_include_.empty()) return;
  auto matches = [&](const std::string& path) { return report_include_.match(root + "/" + path); };
  if (std::none_of(paths.begin(), paths.end(), matches))
    throw report::NoDataError(
        fmt::format("No data to report: no file matches the patterns to include, such as '{}'.", include_text_));
}

std::vector<std::string> known_paths(const report::Changes& changes, const report::CoverageData& data) {
  std::vector<std::string> paths = changes.untracked;
  for (const report::ChangedFile& file : changes.files) paths.push_back(file.path);
  for (const report::LinkedFile& one : changes.behind_links) paths.push_back(one.file.path);
  try {
    std::vector<std::string> tracked = report::tracked_files(changes.root);
    paths.insert(paths.end(), tracked.begin(), tracked.end());
  } catch (const report::GitError&) {
    // --diff-file needs no repository
  }
  std::string root = report::absolute_path(changes.root) + "/";
  auto add = [&](const std::string& name) {
    if (std::string path = report::absolute_path(name); path.starts_with(root))
      paths.push_back(path.substr(root.size()));
  };
  for (const auto& [name, file] : data.files) add(name);
  for (const auto& [name, file] : data.imported) add(name);
  return paths;
}

void DiffSelection::add_source(const std::string& source, const std::string& root) {
  const std::string folder = report::absolute_path(source) + "/", top = report::absolute_path(root) + "/";
  const bool is_inside = std::filesystem::is_directory(source) && (folder.starts_with(top) || top.starts_with(folder));
  if (is_inside)
    sources_.push_back(folder);
  else
    only_sources_ = false;
}

}  // namespace qd::cli
