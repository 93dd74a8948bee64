// Marks of a line's state: a glyph and a word, so that colour is never the only sign.
#pragma once

#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"

namespace qd::report {

const char* glyph(LineState state);  // ✓ ◐ ✗ ⊘ ·
const char* word(LineState state);   // "covered", "partial", ...

/// Mark of a line. A missing line of a kernel has one by its reason: ✗ not hit, ? not measured, ○ not compiled.
struct LineMark {
  const char* glyph;
  std::string words;            // "covered"; "not compiled: the kernel was not launched"
  const char* kernel_css = "";  // class of style.css: " unm", " unc"
  bool missing_in_kernel = false;
};
LineMark mark_of(const AnnotatedSource& source, int32_t line);

/// Reason to print beside a missing line of a kernel: at the first of consecutive statements with the same reason. Else
/// empty.
std::string reason_beside(const AnnotatedSource& source, int32_t line);

/// Destinations of the branches that were never taken: "14, exit".
std::string destinations(const std::vector<int32_t>& lines);

}  // namespace qd::report
