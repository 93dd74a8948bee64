// Parts of tables on a terminal: colours, bars, and lists over several lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

inline constexpr int kBarWidth = 8;  // columns

struct Painter {
  bool on;
  /// Text in a colour or style. `code` is an SGR parameter: "1" bold, "31" red.
  std::string paint(const char* code, const std::string& text) const;
  /// SGR code for a share: green, yellow or red.
  const char* quality(int64_t covered, int64_t total) const;
};

/// Bar with a resolution of an eighth of a cell; empty or full only when exact.
std::string bar(int64_t covered, int64_t total);

/// A path in `width` columns at most, cut in the middle: "pkg/…/kernels.py". The file's name stays while there is room.
std::string shortened_path(const std::string& path, size_t width, bool unicode = true);

/// display_width() without the sequences of Painter.
size_t painted_width(std::string_view text);

/// Wraps a line into pieces of `room` columns at most. They end at blanks unless that leaves a piece half empty.
std::vector<std::string> folded(const std::string& line, size_t room);

/// Wraps a list ("1, 2, 3"); following lines start at `indent`.
std::string wrapped(const std::string& list, size_t indent, size_t width);

}  // namespace qd::report
