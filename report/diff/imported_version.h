// Decides whether a report of another tool can be of a source as it is. Such reports have no hashes, so their lines,
// their functions and the time have to show it.
#pragma once

#include <string>
#include <vector>

#include "report/analysis/analysis.h"
#include "report/data/coverage_data.h"

namespace qd::report {

/// Why `imported` is of another version of the file whose text is `text`; empty when nothing shows that. `python` is
/// the analysis of the file, if there is one; `changed` are its changed lines. A line after the end of the text shows
/// it in any case. Other differences count only if the source is newer than the report. For Python, these are
/// statements that only one of source and report has. For other languages, these are functions with changed lines of
/// which the report knows none, and functions that the report has at other lines.
std::string why_of_other_version(const ImportedFile& imported, const std::string& text, const SourceAnalysis* python,
                                 const std::vector<int32_t>& changed);

/// Which lines are taken for code.
struct CodeLines {
  bool has_braces = true;  // comments begin with "//" and "/*"; else with "#" and "--"
  bool anywhere = false;   // not in the bodies of functions alone, which only braces show
};

/// Those of the `changed` lines that are code, as far as a look at them shows.
std::vector<int32_t> changed_code_lines(const std::string& text, const std::vector<int32_t>& changed,
                                        const CodeLines& which = {});

}  // namespace qd::report
