// Files without data are chosen as coverage.py chooses those to measure: they would have been measured, had a test imported them.
#include "cli/diff_selection.h"

#include <filesystem>

#include "report/config/path_aliases.h"

namespace qd::cli {

namespace {

report::GlobMatcher patterns(const std::optional<report::StringList>& list) {
  return report::GlobMatcher(report::prepare_patterns(list.value_or(report::StringList{})));
}

}  // namespace

DiffSelection::DiffSelection(const report::Config& config)
    : report_include_(patterns(config.report_include)),
      report_omit_(patterns(config.report_omit)),
      run_include_(patterns(config.run_include)),
      run_omit_(patterns(config.run_omit)) {
  for (const std::string& source : config.source.value_or(report::StringList{})) add_source(source);
  for (const std::string& source : config.source_dirs) add_source(source);
}

bool DiffSelection::wanted(const std::string& path, bool measured) const {
  if (!report_include_.empty() && !report_include_.match(path)) return false;
  if (report_omit_.match(path)) return false;
  if (measured) return true;
  if (!sources_.empty()) {
    bool inside = false;
    for (const std::string& folder : sources_) inside = inside || path.starts_with(folder);
    if (!inside) return false;
  } else if (!run_include_.empty() && !run_include_.match(path)) {
    return false;
  }
  return !run_omit_.match(path);
}

void DiffSelection::add_source(const std::string& source) {
  if (std::filesystem::is_directory(source)) sources_.push_back(report::absolute_path(source) + "/");
}

}  // namespace qd::cli
