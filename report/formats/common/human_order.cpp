// Natural sort order and cleaning of names, as in coverage.py.
#include "report/formats/common/human_order.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "report/data/ascii.h"
#include "report/regex/python_regex.h"
#include "runtime/syntax/utf8.h"

namespace qd::report {

namespace {

/// Splits a name into pieces: text, number, text, number, ..., text. Numbers are without leading zeros.
std::vector<std::string_view> pieces_of(std::string_view name) {
  std::vector<std::string_view> pieces;
  size_t start = 0;
  for (bool digits = false; start < name.size() || !digits; digits = !digits) {
    size_t end = start;
    while (end < name.size() && is_digit(name[end]) == digits) ++end;
    std::string_view piece = name.substr(start, end - start);
    if (digits) piece.remove_prefix(std::min(piece.find_first_not_of('0'), piece.size()));
    pieces.push_back(piece);
    start = end;
  }
  return pieces;
}

bool is_ascii_text(std::string_view text) { return std::ranges::all_of(text, is_ascii); }

/// Zeros of other scripts (Unicode 14, category Nd); each is followed by its nine other digits.
constexpr char32_t kZeros[] = {
    0x660,   0x6F0,   0x7C0,   0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,   0xBE6,   0xC66,   0xCE6,   0xD66,   0xDE6,
    0xE50,   0xED0,   0xF20,   0x1040,  0x1090,  0x17E0,  0x1810,  0x1946,  0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,
    0x1C40,  0x1C50,  0xA620,  0xA8D0,  0xA900,  0xA9D0,  0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066,
    0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50,
    0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0,
};

/// Digits of all scripts as Python's int() reads them.
std::string with_ascii_digits(std::string_view text) {
  if (is_ascii_text(text)) return std::string(text);
  std::string result;
  for (const char *at = text.data(), *end = at + text.size(); at != end;) {
    const char* start = at;
    char32_t c = syntax::decode_utf8(at, end);
    const char32_t* zero = std::upper_bound(std::begin(kZeros), std::end(kZeros), c);
    if (zero != std::begin(kZeros) && c - zero[-1] < 10)
      result += static_cast<char>('0' + (c - zero[-1]));
    else
      result.append(start, at);
  }
  return result;
}

}  // namespace

bool human_less(std::string_view a, std::string_view b) {
  std::string plain_a = with_ascii_digits(a), plain_b = with_ascii_digits(b);
  std::vector<std::string_view> left = pieces_of(plain_a), right = pieces_of(plain_b);
  for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    bool number = i % 2 == 1;
    if (number && left[i].size() != right[i].size()) return left[i].size() < right[i].size();
    if (left[i] != right[i]) return left[i] < right[i];
  }
  if (left.size() != right.size()) return left.size() < right.size();
  return a < b;
}

std::string printable(const std::string& name) {
  if (std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; })) return name;
  static const PythonRegex kUnprintable(R"((?![ ])[\p{C}\p{Z}])", RegexMode::kPcre);
  std::string result;
  size_t position = 0;
  kUnprintable.find_all(name, [&](size_t start, size_t end) {
    result += name.substr(position, start - position) + "?";
    position = end;
  });
  return result + name.substr(position);
}

}  // namespace qd::report
