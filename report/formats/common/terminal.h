// What tables on a terminal share: colours, bars, and lists over several lines.
#pragma once

#include <cstdint>
#include <string>

namespace qd::report {

inline constexpr int kBarWidth = 8;  // columns

struct Painter {
  bool on;
  /// `code` is an SGR parameter: "1" bold, "31" red.
  std::string paint(const char* code, const std::string& text) const;
  /// Green, yellow or red.
  const char* quality(int64_t covered, int64_t total) const;
};

/// Eighths of a cell; never empty or full unless it is.
std::string bar(int64_t covered, int64_t total);

/// The pieces of a list ("1, 2, 3") over as many lines as it takes; following lines start at `indent`.
std::string wrapped(const std::string& list, size_t indent, size_t width);

}  // namespace qd::report
