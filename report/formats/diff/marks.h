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

/// The same in words: "never jumped to line 14", "never jumped to lines 14, 17 or the exit".
std::string never_jumped(const std::vector<int32_t>& lines);

/// Branches of a line of an imported report, which does not say where they lead: "1 of 2 branches never taken".
std::string never_taken(const BranchCount& count);

}  // namespace qd::report
