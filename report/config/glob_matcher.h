// Glob patterns of include, omit and [paths], as coverage.py understands them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// Comparison of a pattern with a path.
enum class GlobMode {
  kWhole,   // the whole path, letter for letter
  kPrefix,  // the beginning of the path, letters of either case
};

/// Matcher of a path against several patterns. Immutable, and thread-safe.
class GlobMatcher {
 public:
  /// Throws ConfigError "File pattern can't include '...'".
  explicit GlobMatcher(const std::vector<std::string>& patterns, GlobMode mode = GlobMode::kWhole);
  ~GlobMatcher();
  GlobMatcher(GlobMatcher&&) noexcept;
  GlobMatcher& operator=(GlobMatcher&&) noexcept;

  bool empty() const;  // no patterns: matches nothing
  bool match(std::string_view path) const { return match_length(path) != std::string_view::npos; }
  /// Number of bytes that the first matching pattern takes; npos without a match.
  size_t match_length(std::string_view path) const;

 private:
  struct Patterns;
  std::unique_ptr<const Patterns> patterns_;
};

/// Patterns as they are and, unless they begin with * or ?, also made absolute: coverage.py's treatment of include and
/// omit.
std::vector<std::string> prepare_patterns(const std::vector<std::string>& patterns);

/// `path` absolute, with symbolic links resolved as far as the path exists, and normalised: coverage.py's abs_file.
std::string absolute_path(const std::string& path);

}  // namespace qd::report
