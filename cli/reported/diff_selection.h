// Diff selection: chooses the changed files of a diff report.
#pragma once

#include <string>
#include <vector>

#include "report/config/config.h"
#include "report/config/glob_matcher.h"
#include "report/data/coverage_data.h"
#include "report/diff/changes.h"

namespace qd::cli {

/// Choice of the configuration: [report] include and omit for all files, [run] source, include and omit for files
/// without data. A source that is a package, or a folder outside of the working tree, may be any file: then no file is
/// left out because of the other sources.
class DiffSelection {
 public:
  /// `root` is the top of the working tree.
  DiffSelection(const report::Config& config, const std::string& root);

  /// Whether a file is reported. `path` is absolute; `measured`: it has data.
  bool wanted(const std::string& path, bool measured) const;

  /// Whether omit of [run] or [report] leaves a file out that has no data.
  bool omitted(const std::string& path) const;

  /// Throws NoDataError when there are patterns of files to include and none of `paths` matches: then no line could
  /// ever be missing.
  void check_include(const std::string& root, const std::vector<std::string>& paths) const;

 private:
  void add_source(const std::string& source, const std::string& root);

  std::string include_text_;  // the first of the patterns
  report::GlobMatcher report_include_, report_omit_, run_include_, run_omit_;
  std::vector<std::string> sources_;  // folders
  bool only_sources_ = true;          // all sources are folders of the working tree
};

/// Returns all files that a pattern can mean, as paths from the top of the working tree: those of the change, of the
/// repository and of the data.
std::vector<std::string> known_paths(const report::Changes& changes, const report::CoverageData& data);

}  // namespace qd::cli
