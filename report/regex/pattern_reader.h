// Pattern reader: a cursor in a regular expression, with errors in Python's words; and its sets of characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace qd::report {

bool is_one_of(char32_t c, std::string_view set);
bool is_digit(char32_t c);
bool is_octal(char32_t c);
bool is_hex(char32_t c);
bool is_letter(char32_t c);

class PatternReader {
 public:
  static constexpr char32_t kEnd = 0xFFFFFFFF;

  explicit PatternReader(std::string_view pattern);

  size_t at = 0;  // cursor, in code points; may be set

  char32_t next(size_t ahead = 0) const { return at + ahead < text_.size() ? text_[at + ahead] : kEnd; }
  bool match(char32_t c) { return next() == c && (++at, true); }
  char32_t operator[](size_t position) const { return text_[position]; }
  std::string slice(size_t start, size_t end) const;

  /// Takes up to `most` characters for which `is` holds.
  std::u32string_view take(size_t most, bool (*is)(char32_t));

  /// Length of the token of Python's tokenizer at the cursor: 2 for a backslash with the character behind it, else 1.
  size_t token_length() const { return next() == '\\' ? 2 : 1; }
  /// Throws for a backslash at the end of the pattern. Call it where Python's tokenizer would read on: it reports that
  /// error before any other.
  void check_escape_at_end() const;

  /// Takes the text before `terminator`, and the terminator; `start` becomes the text's position. `what`: "group name",
  /// for an error.
  std::string name_until(char32_t terminator, const char* what, size_t& start);

  /// Throws std::runtime_error: "reason at position 3 (line 1, column 4)".
  [[noreturn]] void fail(const std::string& reason, size_t position) const;

 private:
  const std::u32string text_;
};

constexpr uint64_t kAnyNumber = 1ULL << 40;

/// Reads the numbers of "*", "+", "?" or "{2,3}", one of which begins here; none for a literal brace, which is not
/// taken then.
std::optional<std::pair<uint64_t, uint64_t>> read_repetition(PatternReader& in);

// Sets of characters in a regular expression: [a-z\d], [^,].

/// Reads the set that begins here and appends it in PCRE2's notation. `ascii` and `exact_spaces` are as for category().
void append_set(std::string& out, PatternReader& in, bool ascii, bool exact_spaces);

}  // namespace qd::report
