// Escapes in a regular expression (the text behind a backslash), and characters as PCRE2 writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/regex/pattern_reader.h"

namespace qd::report {

/// A character that no text has. It takes the width of one, which a look-behind must have: `(?<=\ud800|a)`.
inline constexpr const char* kNoCharacter = "(?:(?!).)";

/// Whether a character is a surrogate, which no text can have.
bool is_surrogate(char32_t c);

/// Appends one character in PCRE2's notation, in a set or outside of one.
void append_char(std::string& out, char32_t c);

/// PCRE2's notation, in a set, for \d, \s, \w and their opposites; by re.ASCII or not.
std::string category(char32_t letter, bool ascii, bool exact_spaces);

/// A character that is written as \x41, \u00e9, \n, \., ...; none for another kind of escape. `start` is the position
/// of its backslash, `c` the letter behind it, and `in` is behind that.
std::optional<char32_t> escaped_char(PatternReader& in, size_t start, char32_t c, bool in_set);

/// Character of an octal escape: digits `first`, then `more`. With a limit, too large a number is an error.
char32_t octal(const PatternReader& in, size_t start, char32_t first, std::u32string_view more, bool limited);

}  // namespace qd::report
