// Escapes of Python's `re`, in the order in which Python's parser tries them.
#include "report/regex/regex_escapes.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "report/regex/python_text.h"

namespace qd::report {

bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

void append_char(std::string& out, char32_t c) {
  if (is_surrogate(c))
    out += kNoCharacter;
  else if (c < 0x20 || c == 0x7F)
    out += fmt::format("\\x{{{:x}}}", static_cast<uint32_t>(c));
  else if (c < 0x80 && !is_letter(c) && !is_digit(c) && c != '_' && c != ' ')
    out += {'\\', static_cast<char>(c)};
  else
    out += encode_utf8(std::u32string_view(&c, 1));
}

std::string category(char32_t letter, bool ascii, bool exact_spaces) {
  if (!ascii)
    return letter == 's' && exact_spaces ? R"(\s\x{1c}-\x{1f})" : std::string{'\\', static_cast<char>(letter)};
  switch (letter) {
    case 'd': return "0-9";
    case 'D': return R"(\x{0}-\/:-\x{10ffff})";
    case 's': return R"(\t-\r\x{20})";
    case 'S': return R"(\x{0}-\x{8}\x{e}-\x{1f}!-\x{10ffff})";
    case 'w': return "A-Za-z0-9_";
    default: return R"(\x{0}-\/:-@\[-\^`{-\x{10ffff})";
  }
}

std::optional<char32_t> escaped_char(PatternReader& in, size_t start, char32_t c, bool in_set) {
  static const std::map<char32_t, char32_t> kSimple = {{'a', 7}, {'f', 12}, {'n', 10},   {'r', 13},
                                                       {'t', 9}, {'v', 11}, {'\\', '\\'}};
  if (auto simple = kSimple.find(c); simple != kSimple.end()) return simple->second;
  if (in_set && c == 'b') return 8;
  if (size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0) {
    std::u32string_view number = in.take(digits, is_hex);
    if (number.size() != digits) in.fail("incomplete escape " + in.slice(start, in.at), start);
    char32_t value = static_cast<char32_t>(std::stoul(encode_utf8(number), nullptr, 16));
    if (value > 0x10FFFF) in.fail("bad escape " + in.slice(start, in.at), start);
    return value;
  }
  if (c == 'N') {  // not supported: there is no table of the names here
    if (!in.match('{')) in.fail("missing {", in.at);
    size_t name_start = 0;
    std::string name = in.name_until('}', "character name", name_start);
    throw std::runtime_error(
        fmt::format("qd-cov does not know characters by name: instead of \\N{{{}}}, write the character or its number, "
                    "as in \\u2014",
                    name));
  }
  if (is_octal(c) && (in_set || c == '0')) return octal(in, start, c, in.take(2, is_octal), in_set);
  if (is_digit(c)) {
    if (in_set) in.fail("bad escape " + in.slice(start, in.at), start);
    return std::nullopt;
  }
  if (is_letter(c)) return std::nullopt;
  return c;
}

char32_t octal(const PatternReader& in, size_t start, char32_t first, std::u32string_view more, bool limited) {
  char32_t value = first - '0';
  for (char32_t digit : more) value = value * 8 + (digit - '0');
  if (limited && value > 0377)
    in.fail(fmt::format("octal escape value {} outside of range 0-0o377", in.slice(start, in.at)), start);
  return value;
}

}  // namespace qd::report
