// Draws parts of tables on a terminal.
#include "report/formats/common/terminal.h"

#include <fmt/format.h>

#include <algorithm>

namespace qd::report {

std::string Painter::paint(const char* code, const std::string& text) const {
  return on ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

const char* Painter::quality(int64_t covered, int64_t total) const {
  return covered == total ? "32" : covered * 4 >= total * 3 ? "33" : "31";
}

std::string bar(int64_t covered, int64_t total) {
  constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  int64_t eighths = total == 0 ? 8 * kBarWidth : covered * 8 * kBarWidth / total;
  if (covered > 0) eighths = std::max<int64_t>(eighths, 1);
  std::string result;
  for (int64_t i = 0; i < eighths / 8; ++i) result += "█";
  if (eighths % 8 != 0) result += kParts[eighths % 8];
  for (int64_t cells = (eighths + 7) / 8; cells < kBarWidth; ++cells) result += "░";
  return result;
}

std::string wrapped(const std::string& list, size_t indent, size_t width) {
  size_t room = width > indent + 24 ? width - indent : 24;
  std::string result;
  size_t column = 0;
  for (size_t at = 0; at < list.size();) {
    size_t end = list.find(", ", at);
    std::string piece = list.substr(at, end == std::string::npos ? end : end - at + 1);
    if (column > 0 && column + 1 + piece.size() > room) {
      result.append("\n").append(indent, ' ');
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += piece;
    column += piece.size();
    at = end == std::string::npos ? list.size() : end + 2;
  }
  return result;
}

}  // namespace qd::report
