// Letters and digits of ASCII, whatever the locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace qd::report {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_ascii(char c) { return (c & 0x80) == 0; }

/// Whether a name can begin with the character, in most languages. All characters beyond ASCII count as letters.
constexpr bool begins_name(char c) { return is_letter(c) || c == '_' || !is_ascii(c); }
constexpr bool is_in_name(char c) { return begins_name(c) || is_digit(c); }

constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower_case(c);
  return result;
}

/// Whether two characters are the same but for upper and lower case; texts: with std::ranges::equal.
constexpr bool same_letter(char a, char b) { return lower_case(a) == lower_case(b); }

}  // namespace qd::report
