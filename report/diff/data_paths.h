// Look-up of a file of the working tree in measured data, independent of the form of its path there.
#pragma once

#include <string>
#include <unordered_map>

#include "report/data/coverage_data.h"

namespace qd::report {

/// Absolute path without symbolic links. Parts that do not exist stay as they are written.
std::string canonical_path(const std::string& path);

/// The same for many files: each folder is resolved once.
class CanonicalPaths {
 public:
  std::string operator()(const std::string& path);

 private:
  std::unordered_map<std::string, std::string> folders_;
};

/// Files of `data` by canonical path.
class DataPaths {
 public:
  DataPaths(const CoverageData& data, CanonicalPaths& canonical);

  /// Path of the file in the data; null when it has none.
  const std::string* find(const std::string& canonical) const {
    auto found = paths_.find(canonical);
    return found == paths_.end() ? nullptr : found->second;
  }
  /// Name in a report that fits this file and others; null when there is none.
  const AmbiguousName* ambiguous(const std::string& canonical) const {
    auto found = ambiguous_.find(canonical);
    return found == ambiguous_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string, const std::string*> paths_;
  std::unordered_map<std::string, const AmbiguousName*> ambiguous_;
};

}  // namespace qd::report
