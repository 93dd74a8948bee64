// Pattern reader. Positions are in code points, as Python counts them.
#include "report/regex/pattern_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "report/regex/python_text.h"

namespace qd::report {

bool is_one_of(char32_t c, std::string_view set) { return c < 0x80 && set.find(static_cast<char>(c)) != set.npos; }
bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_octal(char32_t c) { return c >= '0' && c <= '7'; }
bool is_hex(char32_t c) { return is_digit(c) || is_one_of(c, "abcdefABCDEF"); }
bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

PatternReader::PatternReader(std::string_view pattern) : text_(decode_utf8(pattern)) {}

std::string PatternReader::slice(size_t start, size_t end) const {
  return encode_utf8(std::u32string_view(text_).substr(start, end - start));
}

std::u32string_view PatternReader::take(size_t most, bool (*is)(char32_t)) {
  size_t start = at;
  while (at - start < most && next() != kEnd && is(next())) ++at;
  return std::u32string_view(text_).substr(start, at - start);
}

void PatternReader::check_escape_at_end() const {
  if (next() == '\\' && at + 1 == text_.size()) fail("bad escape (end of pattern)", at);
}

std::string PatternReader::name_until(char32_t terminator, const char* what, size_t& start) {
  start = at;
  while (next() != terminator) {
    check_escape_at_end();
    if (next() == kEnd) {
      if (at == start) fail(fmt::format("missing {}", what), at);
      fail(fmt::format("missing {}, unterminated name", static_cast<char>(terminator)), start);
    }
    at += token_length();
  }
  if (at == start) fail(fmt::format("missing {}", what), at);
  ++at;
  return slice(start, at - 1);
}

void PatternReader::fail(const std::string& reason, size_t position) const {
  std::string place = fmt::format("{} at position {}", reason, position);
  if (text_.find('\n') != text_.npos) {
    auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(position, text_.size()));
    auto line_start = std::find(std::make_reverse_iterator(end), text_.rend(), U'\n').base();
    place += fmt::format(" (line {}, column {})", std::count(text_.begin(), end, U'\n') + 1, end - line_start + 1);
  }
  throw std::runtime_error(place);
}

std::optional<std::pair<uint64_t, uint64_t>> read_repetition(PatternReader& in) {
  char32_t c = in.next();
  if (c != '{') {
    ++in.at;
    return std::pair<uint64_t, uint64_t>{c == '+' ? 1 : 0, c == '?' ? 1 : kAnyNumber};
  }
  size_t start = in.at++;
  auto digits = [&] {
    size_t first = in.at;
    while (is_digit(in.next())) ++in.at;
    return in.slice(first, in.at);
  };
  std::string low, high;
  bool literal = in.next() == '}';
  if (!literal) {
    low = digits();
    high = in.match(',') ? digits() : low;
    literal = !in.match('}');
  }
  if (literal) {
    in.at = start;
    return std::nullopt;
  }
  auto number = [&](const std::string& text, uint64_t otherwise) {
    if (text.empty()) return otherwise;
    if (text.size() > 9) throw std::runtime_error("the repetition number is too large");
    return static_cast<uint64_t>(std::stoul(text));
  };
  std::pair<uint64_t, uint64_t> result{number(low, 0), number(high, kAnyNumber)};
  if (result.second < result.first) in.fail("min repeat greater than max repeat", start + 1);
  return result;
}

}  // namespace qd::report
