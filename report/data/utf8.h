// UTF-8: validation, and the bytes of a character.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Whether a byte belongs to the character of the byte before it, instead of beginning one.
constexpr bool continues_character(char c) { return (c & 0xC0) == 0x80; }

/// Start of the character that has byte `i`; `i` at the end of the text.
inline size_t character_start(std::string_view text, size_t i) {
  while (i > 0 && i < text.size() && continues_character(text[i])) --i;
  return i;
}
/// Start of the character behind the one that has byte `i`.
inline size_t next_character(std::string_view text, size_t i) {
  do ++i;
  while (i < text.size() && continues_character(text[i]));
  return i;
}

/// Length of the UTF-8 sequence at `i`; 0 for an invalid or overlong one, or a surrogate.
size_t utf8_sequence(std::string_view text, size_t i);

inline bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    size_t length = utf8_sequence(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

/// `text` with '?' for each byte that is no UTF-8 or a control character: safe for a message.
std::string shown_text(std::string_view text);

}  // namespace qd::report
