// UTF-8: reads and writes single characters.
#pragma once

#include <cstdint>

namespace qd::syntax {

/// Reads the code point at `at`, and moves `at` behind it. U+FFFD for a byte that begins no valid character.
char32_t decode_utf8(const char*& at, const char* end);

/// Writes `code_point` at `out` (room for four bytes); surrogates are written like other three-byte characters.
char* encode_utf8(char32_t code_point, char* out);

/// Whether Python shows the character as it is (for characters that cannot stand in an identifier, an approximation of
/// str.isprintable).
bool is_printable(char32_t code_point);

}  // namespace qd::syntax
