// Python's text functions, on code points.
#include "report/regex/python_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace qd::report {

namespace {

bool is_space(char32_t c) {
  return (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= ' ') || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_line_end(char32_t c) {
  return (c >= '\n' && c <= '\r') || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

/// Approximates str.isprintable(), without its tables: spaces, controls, format characters and surrogates are not.
bool is_printable(char32_t c) {
  if (c == ' ') return true;
  return !(is_space(c) || c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || (c >= 0xD800 && c <= 0xF8FF) ||
           c == 0xFEFF || (c >= 0xFFF0 && c <= 0xFFFB) || (c & 0xFFFE) == 0xFFFE || c >= 0xE0000);
}

/// Length of the code point that starts at `at`, and the number of its bytes that are valid (at least 1).
struct Sequence {
  size_t length = 0;  // 0: not the first byte of a code point
  size_t valid = 1;
};

Sequence sequence_at(std::string_view text, size_t at) {
  auto byte = [&](size_t i) -> unsigned { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0; };
  unsigned first = byte(0);
  Sequence result;
  result.length = first < 0x80 ? 1 : first >= 0xF5 || first < 0xC2 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  unsigned low = first == 0xE0   ? 0xA0
                 : first == 0xF0 ? 0x90
                                 : 0x80,
           high = first == 0xED   ? 0x9F
                  : first == 0xF4 ? 0x8F
                                  : 0xBF;
  for (; result.valid < result.length; ++result.valid) {
    if (at + result.valid >= text.size() || byte(result.valid) < low || byte(result.valid) > high) break;
    low = 0x80, high = 0xBF;
  }
  return result;
}

}  // namespace

std::u32string decode_utf8(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    Sequence sequence = sequence_at(text, i);
    auto byte = static_cast<unsigned char>(text[i]);
    if (sequence.length == 0 || sequence.valid < sequence.length) {
      result += static_cast<char32_t>(0xDC00 + byte);
      ++i;
      continue;
    }
    char32_t c = sequence.length == 1 ? byte : byte & (0x7F >> sequence.length);
    for (size_t k = 1; k < sequence.length; ++k) c = c << 6 | (text[i + k] & 0x3F);
    result += c;
    i += sequence.length;
  }
  return result;
}

std::string encode_utf8(std::u32string_view text) {
  std::string result;
  for (char32_t c : text) {
    auto tail = [&](int shift) { result += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
    if (c < 0x80)
      result += static_cast<char>(c);
    else if (c < 0x800)
      result += static_cast<char>(0xC0 | c >> 6), tail(0);
    else if (c >= 0xDC80 && c <= 0xDCFF)
      result += static_cast<char>(c - 0xDC00);
    else if (c < 0x10000)
      result += static_cast<char>(0xE0 | c >> 12), tail(6), tail(0);
    else
      result += static_cast<char>(0xF0 | c >> 18), tail(12), tail(6), tail(0);
  }
  return result;
}

std::string python_repr(std::string_view text) {
  char quote = text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
  std::string result(1, quote);
  for (char32_t c : decode_utf8(text)) {
    if (c == '\n')
      result += "\\n";
    else if (c == '\r')
      result += "\\r";
    else if (c == '\t')
      result += "\\t";
    else if (c == '\\' || c == static_cast<char32_t>(quote))
      result += {'\\', static_cast<char>(c)};
    else if (is_printable(c))
      result += encode_utf8({&c, 1});
    else if (c < 0x100)
      result += fmt::format("\\x{:02x}", static_cast<uint32_t>(c));
    else if (c < 0x10000)
      result += fmt::format("\\u{:04x}", static_cast<uint32_t>(c));
    else
      result += fmt::format("\\U{:08x}", static_cast<uint32_t>(c));
  }
  return result + quote;
}

std::string python_strip(std::string_view text) {
  std::u32string decoded = decode_utf8(text);
  auto first = std::find_if_not(decoded.begin(), decoded.end(), is_space);
  auto last = std::find_if_not(decoded.rbegin(), std::make_reverse_iterator(first), is_space).base();
  return encode_utf8(std::u32string(first, last));
}

std::vector<std::string> python_splitlines(std::string_view text) {
  std::vector<std::string> lines;
  std::u32string line;
  bool open = false;
  std::u32string decoded = decode_utf8(text);
  for (size_t i = 0; i < decoded.size(); ++i) {
    open = !is_line_end(decoded[i]);
    if (open) {
      line += decoded[i];
      continue;
    }
    if (decoded[i] == '\r' && i + 1 < decoded.size() && decoded[i + 1] == '\n') ++i;
    lines.push_back(encode_utf8(line));
    line.clear();
  }
  if (open) lines.push_back(encode_utf8(line));
  return lines;
}

std::optional<std::string> utf8_error(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    Sequence sequence = sequence_at(text, i);
    if (sequence.length != 0 && sequence.valid == sequence.length) {
      i += sequence.length;
      continue;
    }
    const char* reason = sequence.length == 0                ? "invalid start byte"
                         : i + sequence.valid >= text.size() ? "unexpected end of data"
                                                             : "invalid continuation byte";
    if (sequence.valid == 1)
      return fmt::format("'utf-8' codec can't decode byte 0x{:02x} in position {}: {}",
                         static_cast<unsigned char>(text[i]), i, reason);
    return fmt::format("'utf-8' codec can't decode bytes in position {}-{}: {}", i, i + sequence.valid - 1, reason);
  }
  return std::nullopt;
}

}  // namespace qd::report
