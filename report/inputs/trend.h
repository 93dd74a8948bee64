// Trend file: a line of JSON for each commit that was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// Entry of one commit in the trend file. Counts are exact, so percentages are exact too.
struct TrendPoint {
  std::string time;    // UTC, "2026-11-22T03:04:05Z"
  std::string commit;  // full id; empty outside of git
  std::string branch;  // empty when no branch was checked out
  bool dirty = false;  // tracked files differed from the commit
  int64_t files = 0;
  int64_t covered_statements = 0, statements = 0;
  int64_t covered_branches = 0, branches = 0;  // 0 of 0 if none were measured

  int64_t covered() const { return covered_statements + covered_branches; }
  int64_t total() const { return statements + branches; }
  bool same_numbers(const TrendPoint& other) const;
};

/// Points of a file, oldest first. Of several lines of one commit the last counts, at the place of the first.
/// `n_unknown` counts lines of a later format, which are left alone.
struct Trend {
  std::vector<TrendPoint> points;
  int64_t n_unknown = 0;
};

/// Parses the text of a trend file. Throws DataError with the number of an invalid line.
Trend parse_trend(std::string_view text, const std::string& path);
/// The same for a file. Throws DataError when it cannot be read.
Trend read_trend(const std::string& path);

/// A point as a line, without its line end.
std::string trend_line(const TrendPoint& point);

enum class TrendChange : uint8_t { Added, Replaced, Unchanged };

/// Appends a line, unless the last line of the commit is equal. No line is ever removed from the file, and two
/// processes may append at the same time. A file with a damaged line is not changed. Throws DataError.
TrendChange append_to_trend(const std::string& path, const TrendPoint& point);

}  // namespace qd::report
