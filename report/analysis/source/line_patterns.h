// Exclusion patterns, matched over a whole text as coverage.py does.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/source/literal_scan.h"
#include "report/regex/python_regex.h"

namespace qd::report {

/// A list of patterns of which any may match. Thread-safe.
class LinePatterns {
 public:
  /// Throws std::runtime_error for a pattern that is no regular expression.
  /// `by_line`: each line is searched by itself.
  explicit LinePatterns(std::vector<std::string> patterns, bool by_line = false);

  /// Calls `found` with the first and last physical line of every match in `text`. Throws RegexLimit, with the pattern
  /// and the line: "line 3: the pattern '(a+)+$' backtracks without end".
  void find_lines(std::string_view text, const std::function<void(int32_t first, int32_t last)>& found) const;

  /// Returns the same object for the same patterns, for the life of the process.
  static std::shared_ptr<const LinePatterns> get(const std::vector<std::string>& patterns, bool by_line = false);

 private:
  void search(std::string_view text, const std::function<void(int32_t first, int32_t last)>& found) const;
  [[noreturn]] void tell_which_pattern(std::string_view text) const;
  std::shared_ptr<const PythonRegex> joined(const std::vector<bool>& chosen) const;
  void find_near_literals(std::string_view text, const std::function<void(size_t start, size_t end)>& found) const;

  std::vector<std::string> patterns_;
  bool by_line_;
  std::vector<RequiredText> required_;  // of each pattern; without literals when the pattern must always be searched
  std::optional<LiteralScan> scan_;     // of the literals of all patterns, when a match is always near one
  int blank_runs_ = 0;                  // with scan_: the largest number of any pattern
  mutable std::mutex mutex_;
  mutable std::map<std::vector<bool>, std::shared_ptr<const PythonRegex>> joined_;
};

}  // namespace qd::report
