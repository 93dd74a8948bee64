// Source filter: selects the files of a measurement by coverage.py's rules of source, include and omit.
#pragma once

#include <string>
#include <vector>

#include "report/config/config.h"
#include "report/config/glob_matcher.h"

namespace qd::report {

/// Whether the folders of a configuration have to be folders of this host.
enum class SourceFolders { AreHere, MayBeElsewhere };

/// Decides as coverage.py does while it measures, without a Python to ask: packages are found by their folders,
/// installed code by the names of its folders.
class SourceFilter {
 public:
  /// Relative paths of the configuration are taken from the current folder. Throws ConfigError.
  explicit SourceFilter(const Config& config, SourceFolders folders = SourceFolders::AreHere);

  /// Whether a file is measured. `path` is absolute and resolved.
  bool measures(const std::string& path) const;

 private:
  bool in_source(const std::string& path) const;

  bool has_source_;
  bool cover_pylib_;
  std::vector<std::string> source_dirs_;  // absolute
  std::vector<std::string> source_pkgs_;  // dotted
  GlobMatcher include_, omit_;
};

}  // namespace qd::report
