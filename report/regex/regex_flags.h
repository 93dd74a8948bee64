// Flags inside of a regular expression: (?i), (?s-m:...).
#pragma once

#include <string>

#include "report/regex/pattern_reader.h"

namespace qd::report {

/// What the translation has to know of the flags that hold at a place.
struct Flags {
  bool verbose = false, ascii = false;
};

struct FlagGroup {
  std::string on, off;  // letters
  bool whole = false;   // (?i): for the whole expression; else the inside of the group follows

  void apply(Flags& flags) const;
  /// "i-s" of (?ix-s: what PCRE2 has to be told.
  std::string in_pcre() const;
};

bool is_flag(char32_t c);

/// Reads on from the first letter or '-' behind "(?", which was passed, up to the ':' or ')'.
FlagGroup read_flags(PatternReader& in, char32_t first);

}  // namespace qd::report
