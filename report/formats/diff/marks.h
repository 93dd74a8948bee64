// How a line's state is shown: a glyph and a word, so that colour is never the only sign.
#pragma once

#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"

namespace qd::report {

const char* glyph(LineState state);  // ✓ ◐ ✗ ⊘ ·
const char* word(LineState state);   // "covered", "partial", ...

/// How a line is shown. A missing line of a kernel by why it is missing: ✗ not hit, ? not measured, ○ not compiled.
struct LineMark {
  const char* glyph;
  std::string words;            // "covered"; "not compiled: the kernel was not launched"
  const char* kernel_css = "";  // of the styles: " unm", " unc"
  bool missing_in_kernel = false;
};
LineMark mark_of(const AnnotatedSource& source, int32_t line);

/// The words to a missing line of a kernel where they are said: at the first statement of those in a row that they are
/// true of. Else empty.
std::string reason_beside(const AnnotatedSource& source, int32_t line);

/// "14, exit": destinations of the branches that were never taken.
std::string destinations(const std::vector<int32_t>& lines);

}  // namespace qd::report
