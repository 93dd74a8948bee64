// Which changed files a diff report is about.
#pragma once

#include <string>
#include <vector>

#include "report/config/config.h"
#include "report/config/glob_matcher.h"

namespace qd::cli {

/// What the configuration wants: [report] include and omit for all files, [run] source, include and omit for those without data.
class DiffSelection {
 public:
  explicit DiffSelection(const report::Config& config);

  /// `path` is absolute; `measured`: there is data of it.
  bool wanted(const std::string& path, bool measured) const;

 private:
  void add_source(const std::string& source);

  report::GlobMatcher report_include_, report_omit_, run_include_, run_omit_;
  std::vector<std::string> sources_;
};

}  // namespace qd::cli
