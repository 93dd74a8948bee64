// Small text functions that several formats share.
#include "report/formats/common/text.h"

#include <fmt/format.h>

#include <charconv>

#include "runtime/syntax/utf8.h"

namespace qd::report {

namespace {

/// Whether the character at `at` makes a terminal do something, or turns the order of others around: U+0080-U+009F,
/// marks and embeddings of direction, and the separators of lines and paragraphs. `at` is the first byte of a
/// character.
bool acts_unseen(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  if (byte(0) == 0xC2) return byte(1) >= 0x80 && byte(1) < 0xA0;
  if (byte(0) != 0xE2) return false;
  if (byte(1) == 0x80) return byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xA8 && byte(2) <= 0xAE);
  return byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
}

std::string make_visible(std::string_view text, bool expand_tabs) {
  std::string result;
  size_t column = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0xC2 && acts_unseen(text, i)) {
      const char* at = text.data() + i;
      std::string shown =
          fmt::format("\\u{:04x}", static_cast<uint32_t>(syntax::decode_utf8(at, text.data() + text.size())));
      i = static_cast<size_t>(at - text.data()) - 1;
      result += shown;
      column += shown.size();
      continue;
    }
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

std::string escape(std::string_view text, bool apostrophes) {
  std::string result;
  result.reserve(text.size());
  for (char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += apostrophes ? "&#39;" : "'"; break;
      default: result += c;
    }
  }
  return result;
}

}  // namespace

std::string visible(std::string_view text) { return make_visible(text, true); }

std::string visible_but_tabs(std::string_view text) { return make_visible(text, false); }

std::string valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const char* start = at;
    if (syntax::decode_utf8(at, end) == 0xFFFD)
      result += "\xEF\xBF\xBD";
    else
      result.append(start, at);
  }
  return result;
}

std::string escape_html(std::string_view text) { return escape(text, true); }

std::string escape_xml(std::string_view text) { return escape(text, false); }

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (char c : text) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return width;
}

size_t utf16_length(std::string_view text) {
  size_t n = 0;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    n += (byte & 0xC0) != 0x80 ? (byte >= 0xF0 ? 2 : 1) : 0;
  }
  return n;
}

void append_number(std::string& text, int64_t n) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

std::string plural(int64_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

}  // namespace qd::report
