// Translator of regular expressions from Python's `re` to PCRE2's notation.
#pragma once

#include <string>

namespace qd::report {

struct TranslateOptions {
  /// Flags for the whole expression may stand anywhere and then hold for the rest of their group; a name may be used
  /// again. Joined patterns need that: each of them was valid alone.
  bool lenient = false;
  /// \s includes the separators U+001C to U+001F, as in Python. Slower; no difference for a text without them.
  bool exact_spaces = false;
};

/// Translates an expression for PCRE2. Exactly the constructs that `re` of Python 3.11 knows are valid. Throws
/// std::runtime_error with Python's words: "missing ), unterminated subpattern at position 0".
std::string to_pcre(const std::string& pattern, const TranslateOptions& options = {});

}  // namespace qd::report
