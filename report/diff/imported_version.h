// Version check of a report of another tool against the present source. Such reports have no hashes, so their lines,
// functions and time are compared.
#pragma once

#include <string>
#include <vector>

#include "report/analysis/analysis.h"
#include "report/data/coverage_data.h"

namespace qd::report {

/// Reason why `imported` is of another version of the file `path`, whose text is `text`; empty without any sign of
/// that. `python` is the analysis of the file, if there is one; `changed` are its changed lines. A line after the end
/// of the text is a sign in any case. Other differences count only if the source is newer than the report. For Python,
/// these are statements that only one of source and report has. For other languages, these are functions with changed
/// lines of which the report knows none, and functions that the report has at other lines.
std::string why_of_other_version(const ImportedFile& imported, const std::string& path, const std::string& text,
                                 const SourceAnalysis* python, const std::vector<int32_t>& changed);

/// Selection of the lines that are taken for code.
struct CodeLines {
  bool has_braces = true;       // comments begin with "//" and "/*"; else with "#" and "--"
  bool anywhere = false;        // everywhere, not only where the scan finds code, which only braces show
  std::string language = ".c";  // as language_of() has it
};

/// Returns those of the `changed` lines that are code, as far as a scan of the text shows. All are if it is not clear.
std::vector<int32_t> changed_code_lines(const std::string& text, const std::vector<int32_t>& changed,
                                        const CodeLines& which = {});

/// Returns those of `lines` that are code, or statements of Python, of a file that a report names without any line of
/// it, as by its functions alone; empty for a file of which the report has a line. `excluded` lines do not count.
std::vector<int32_t> unreported_code(const ImportedFile& imported, const std::string& path, const std::string& text,
                                     const SourceAnalysis* python, const std::vector<int32_t>& lines,
                                     const std::vector<int32_t>& excluded);

}  // namespace qd::report
