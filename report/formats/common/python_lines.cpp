// Line ends and white space of Python, in UTF-8.
#include "report/formats/common/python_lines.h"

namespace qd::report {

namespace {

unsigned char byte_at(std::string_view text, size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// Number of bytes of the line end at `at`; 0 when there is none.
size_t line_end_size(std::string_view text, size_t at) {
  unsigned char c = byte_at(text, at);
  if (c == '\r') return byte_at(text, at + 1) == '\n' ? 2 : 1;
  if ((c >= '\n' && c <= '\f') || (c >= 0x1C && c <= 0x1E)) return 1;
  if (c == 0xC2 && byte_at(text, at + 1) == 0x85) return 2;
  if (c == 0xE2 && byte_at(text, at + 1) == 0x80 && (byte_at(text, at + 2) == 0xA8 || byte_at(text, at + 2) == 0xA9))
    return 3;
  return 0;
}

/// Number of bytes of the white space at `at`; 0 when there is none.
size_t space_size(std::string_view text, size_t at) {
  unsigned char c = byte_at(text, at), second = byte_at(text, at + 1), third = byte_at(text, at + 2);
  if (c < 0x80) return at < text.size() && (c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F)) ? 1 : 0;
  if (c == 0xC2) return second == 0x85 || second == 0xA0 ? 2 : 0;  // U+0085, U+00A0
  if (c == 0xE1) return second == 0x9A && third == 0x80 ? 3 : 0;   // U+1680
  if (c == 0xE3) return second == 0x80 && third == 0x80 ? 3 : 0;   // U+3000
  if (c != 0xE2) return 0;
  bool general = second == 0x80 && (third <= 0x8A || third == 0xA8 || third == 0xA9 ||
                                    third == 0xAF);             // U+2000 to U+200A, U+2028, U+2029, U+202F
  return general || (second == 0x81 && third == 0x9F) ? 3 : 0;  // U+205F
}

/// Whether a byte may begin a line end; a quick test for most bytes.
bool may_end_line(char c) {
  auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0xC2 || byte == 0xE2;
}

}  // namespace

std::string_view take_python_line(std::string_view& text) {
  size_t at = 0;
  while (at < text.size()) {
    if (may_end_line(text[at])) {
      if (size_t size = line_end_size(text, at)) {
        at += size;
        break;
      }
    }
    ++at;
  }
  std::string_view line = text.substr(0, at);
  text.remove_prefix(at);
  return line;
}

std::string_view without_line_end(std::string_view line) {
  for (size_t size = 1; size <= 3 && size <= line.size(); ++size)
    if (line_end_size(line, line.size() - size) == size && !(size == 1 && line.ends_with("\r\n")))
      return line.substr(0, line.size() - size);
  return line;
}

size_t skip_python_space(std::string_view text, size_t at) {
  while (size_t size = space_size(text, at)) at += size;
  return at;
}

}  // namespace qd::report
