// Small text functions that several formats share.
#include "report/formats/common/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include "report/data/utf8.h"
#include "runtime/syntax/utf8.h"

namespace qd::report {

namespace {

/// Whether the character at `at` controls a terminal, or reorders others: U+0080-U+009F, marks and embeddings of
/// direction, and the separators of lines and paragraphs. `at` is the first byte of a character.
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
    if (!continues_character(c)) ++column;
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

struct CodePoints {
  char32_t first, last;
};

/// Blocks of wide characters, by Unicode's East_Asian_Width.
constexpr CodePoints kWide[] = {{0x1100, 0x115F},  {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97C},
                                {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                                {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
                                {0x20000, 0x3FFFD}};
/// Blocks of combining characters.
constexpr CodePoints kCombining[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},
                                     {0x064B, 0x065F}, {0x06D6, 0x06DC}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                                     {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0x3099, 0x309A}, {0xFE00, 0xFE0F},
                                     {0xFE20, 0xFE2F}};

size_t columns_of(char32_t code_point) {
  auto holds = [&](const CodePoints& block) { return block.first <= code_point && code_point <= block.last; };
  if (code_point < kCombining[0].first) return 1;
  return std::ranges::any_of(kCombining, holds) ? 0 : std::ranges::any_of(kWide, holds) ? 2 : 1;
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

std::string displayed(std::string_view text) { return valid_utf8(visible(text)); }

std::string escape_html(std::string_view text) { return escape(text, true); }

std::string html_text(std::string_view text) { return escape_html(displayed(text)); }

std::string escape_xml(std::string_view text) { return escape(text, false); }

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    if (static_cast<unsigned char>(*at) < 0x80)
      width += static_cast<unsigned char>(*at++) >= 0x20 ? 1 : 0;
    else
      width += columns_of(syntax::decode_utf8(at, end));
  }
  return width;
}

size_t n_characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, std::not_fn(continues_character)));
}

size_t utf16_length(std::string_view text) {
  const auto is_pair = [](unsigned char c) { return c >= 0xF0; };
  return n_characters(text) + static_cast<size_t>(std::ranges::count_if(text, is_pair));
}

void append_number(std::string& text, int64_t n) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

std::string plural(int64_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

}  // namespace qd::report
