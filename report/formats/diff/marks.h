// How a line's state is shown: a glyph and a word, so that colour is never the only sign.
#pragma once

#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"

namespace qd::report {

const char* glyph(LineState state);  // ✓ ◐ ✗ ⊘ ·
const char* word(LineState state);   // "covered", "partial", ...

/// "14, exit": destinations of the branches that were never taken.
std::string destinations(const std::vector<int32_t>& lines);

}  // namespace qd::report
