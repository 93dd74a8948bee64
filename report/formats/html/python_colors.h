// Colours of Python source, from the tokens of our own parser.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qd::report {

/// Bytes begin..end of a line; `name` is a class of style.css: k(eyword), s(tring), i (number), h (comment), f (name
/// defined or decorator).
struct ColorSpan {
  int32_t begin = 0;
  int32_t end = 0;
  char name = 'k';
};

/// Spans of each line (index 0 is line 1), sorted. A source that does not parse has none.
std::vector<std::vector<ColorSpan>> python_colors(const std::vector<std::string>& lines);

/// Line of code as HTML: escaped, tabs and control characters made visible, with <span class=...> for the colours.
std::string color_line(const std::string& line, const std::vector<ColorSpan>& spans);

}  // namespace qd::report
