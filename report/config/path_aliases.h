// Path aliases of [paths]: map measured files of another machine or folder to files here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/config/config.h"
#include "report/config/glob_matcher.h"

namespace qd::report {

/// coverage.py's PathAliases. map() remembers its answers, so only one thread may use an object.
class PathAliases {
 public:
  /// Throws ConfigError for an invalid pattern.
  explicit PathAliases(const Config& config);

  /// Maps `path` by the first rule that fits and whose result exists, otherwise to itself; always with forward slashes.
  /// With relative_files, relative to the current folder when it lies there.
  std::string map(const std::string& path);

 private:
  struct Alias {
    std::string pattern;
    std::optional<GlobMatcher> matcher;  // none: `result` itself, after any folders
    std::string result;                  // ends in a slash

    size_t match_length(const std::string& path) const;
  };
  void add(std::string pattern, const std::string& result);
  std::string map_uncached(const std::string& path);

  bool relative_;
  std::string relative_folder_;  // the current folder, with a slash at its end
  std::vector<Alias> aliases_;
  std::map<std::string, std::string> cache_;
};

}  // namespace qd::report
