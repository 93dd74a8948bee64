// The trend file: a line of JSON for each commit that was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// What is known of one commit. Counts are exact, so that percentages are, too.
struct TrendPoint {
  std::string time;    // UTC, "2026-11-22T03:04:05Z"
  std::string commit;  // full id; empty outside of git
  std::string branch;  // empty when none was checked out
  bool dirty = false;  // tracked files were not what the commit has
  int64_t files = 0;
  int64_t covered_statements = 0, statements = 0;
  int64_t covered_branches = 0, branches = 0;  // 0 of 0 where none were measured

  int64_t covered() const { return covered_statements + covered_branches; }
  int64_t total() const { return statements + branches; }
  bool same_numbers(const TrendPoint& other) const;
};

/// The points of a file, oldest first. What is said of a commit again takes the place of what was said before;
/// `n_unknown` counts lines of a later format, which are left alone.
struct Trend {
  std::vector<TrendPoint> points;
  int64_t n_unknown = 0;
};

/// Throws DataError with the number of the line that is none.
Trend parse_trend(std::string_view text, const std::string& path);
/// The same for a file. Throws DataError when it cannot be read.
Trend read_trend(const std::string& path);

/// Without its line end.
std::string trend_line(const TrendPoint& point);

enum class TrendChange : uint8_t { Added, Replaced, Unchanged };

/// Appends a line, or none when the last word on the commit says the same. Nothing that is in the file goes, whatever
/// happens, and two processes may do this at the same time. A file with a line that is none stays as it is. Throws
/// DataError.
TrendChange append_to_trend(const std::string& path, const TrendPoint& point);

}  // namespace qd::report
