// Reads a regular expression of Python's `re` and writes it in PCRE2's notation.
#pragma once

#include <string>

namespace qd::report {

struct TranslateOptions {
  /// Flags for the whole expression may stand anywhere and then hold for the rest of their group; a name may be used
  /// again. Joined patterns need that: each of them was correct alone.
  bool lenient = false;
  /// \s includes the separators U+001C to U+001F, as Python has it. Slower; without a difference for a text that has
  /// none of them.
  bool exact_spaces = false;
};

/// The same expression for PCRE2, for which every construct is valid that `re` of Python 3.11 knows, and nothing else.
/// Throws std::runtime_error with Python's words: "missing ), unterminated subpattern at position 0".
std::string to_pcre(const std::string& pattern, const TranslateOptions& options = {});

}  // namespace qd::report
