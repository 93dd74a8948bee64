// Parts of tables on a terminal.
#include "report/formats/common/terminal.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/data/utf8.h"
#include "report/formats/common/text.h"

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

std::string shortened_path(const std::string& path, size_t width, bool unicode) {
  if (display_width(path) <= width) return path;
  const std::string dots = unicode ? "…" : "...";
  if (width <= display_width(dots)) return dots;
  const size_t room = width - display_width(dots);
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : display_width(std::string_view(path).substr(slash));
  size_t tail = std::min(room, std::max(name, room / 2));
  // Takes whole characters, as many as fit into their part.
  size_t end = path.size();
  for (size_t columns = 0; end > 0;) {
    const size_t start = character_start(path, end - 1);
    columns += display_width(std::string_view(path).substr(start, end - start));
    if (columns > tail) break;
    end = start;
  }
  tail = display_width(std::string_view(path).substr(end));
  size_t head = 0;
  for (size_t columns = 0; head < end;) {
    const size_t next = next_character(path, head);
    columns += display_width(std::string_view(path).substr(head, next - head));
    if (columns > room - tail) break;
    head = next;
  }
  return path.substr(0, head) + dots + path.substr(end);
}

size_t painted_width(std::string_view text) {
  size_t hidden = 0;
  for (size_t at = 0; (at = text.find("\033[", at)) != std::string_view::npos;) {
    const size_t end = std::min(text.find('m', at), text.size() - 1) + 1;
    hidden += end - at - 1;  // an escape has no width
    at = end;
  }
  return display_width(text) - hidden;
}

std::vector<std::string> folded(const std::string& line, size_t room) {
  std::vector<std::string> pieces;
  for (size_t start = 0; start < line.size() || pieces.empty();) {
    size_t end = start, blank = start;
    for (size_t columns = 0; end < line.size();) {
      const size_t next = next_character(line, end);
      columns += display_width(std::string_view(line).substr(end, next - end));
      if (columns > room && end > start) break;
      if (line[end] == ' ' && columns > room / 2) blank = next;
      end = next;
    }
    if (end < line.size() && blank > start) end = blank;
    pieces.push_back(line.substr(start, end - start));
    start = end;
  }
  return pieces;
}

std::string wrapped(const std::string& list, size_t indent, size_t width) {
  size_t room = width > indent + 18 ? width - indent : 18;
  std::string result;
  size_t column = 0;
  for (size_t at = 0; at < list.size();) {
    size_t end = list.find(", ", at);
    std::string piece = list.substr(at, end == std::string::npos ? end : end - at + 1);
    const size_t size = display_width(piece);
    if (column > 0 && column + 1 + size > room) {
      result.append("\n").append(indent, ' ');
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += piece;
    column += size;
    at = end == std::string::npos ? list.size() : end + 2;
  }
  return result;
}

}  // namespace qd::report
