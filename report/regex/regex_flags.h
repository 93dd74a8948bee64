// Flags inside of a regular expression: (?i), (?s-m:...).
#pragma once

#include <string>

#include "report/regex/pattern_reader.h"

namespace qd::report {

/// Flags that hold at a place, as far as the translation depends on them.
struct Flags {
  bool verbose = false, ascii = false;
};

struct FlagGroup {
  std::string on, off;  // letters
  bool whole = false;   // (?i): for the whole expression; otherwise the content of the group follows

  void apply(Flags& flags) const;
  /// Flags in PCRE2's notation: "i-s" for (?ix-s:
  std::string in_pcre() const;
};

bool is_flag(char32_t c);

/// Reads flags from the first letter or '-' behind "(?", which was taken, up to the ':' or ')'.
FlagGroup read_flags(PatternReader& in, char32_t first);

}  // namespace qd::report
