// Sets of characters in a regular expression: [a-z\d], [^,].
#pragma once

#include <string>

#include "report/regex/pattern_reader.h"

namespace qd::report {

/// Reads the set that begins here and appends it in PCRE2's notation. `ascii` and `exact_spaces` are as for category().
void append_set(std::string& out, PatternReader& in, bool ascii, bool exact_spaces);

}  // namespace qd::report
