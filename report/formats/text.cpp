// Small text functions that several formats share.
#include "report/formats/text.h"

#include <fmt/format.h>

#include <charconv>

namespace qd::report {

namespace {

std::string make_visible(std::string_view text, bool expand_tabs) {
  std::string result;
  size_t column = 0;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\t' && !expand_tabs) {
      result += c;
    } else if (c == '\t') {
      size_t blanks = 8 - column % 8;
      result.append(blanks, ' ');
      column += blanks - 1;
    } else if (byte < 0x20) {
      result += {'\xE2', '\x90', static_cast<char>(0x80 + byte)};
    } else if (byte == 0x7F) {
      result += "\xE2\x90\xA1";
    } else {
      result += c;
    }
    if ((byte & 0xC0) != 0x80) ++column;
  }
  return result;
}

/// How many bytes at the start of `text` are one character of UTF-8 (not overlong, no surrogate); 0 when they are none.
size_t utf8_length(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto follows = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    bool in_range = !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second > 0x9F);
    return in_range && follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    bool in_range = !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second > 0x8F);
    return in_range && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string visible(std::string_view text) { return make_visible(text, true); }

std::string visible_but_tabs(std::string_view text) { return make_visible(text, false); }

std::string valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    size_t length = utf8_length(text);
    result += length == 0 ? "\xEF\xBF\xBD" : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string escape_html(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (char c : text) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return width;
}

void append_number(std::string& text, int64_t n) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

std::string plural(int64_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

}  // namespace qd::report
