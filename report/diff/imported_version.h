// Decides whether a report of another tool can be of a source as it is. Such reports have no hashes, so their lines,
// their functions and the time have to show it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "report/analysis/analysis.h"
#include "report/data/coverage_data.h"
#include "report/diff/data_paths.h"

namespace qd::report {

/// Why `imported` is of another version of the file whose text is `text`; empty when nothing shows that. `python` is
/// the analysis of the file, if there is one; `changed` are its changed lines. A line after the end of the text shows
/// it in any case. Other differences count only if the source is newer than the report. For Python, these are
/// statements that only one of source and report has. For other languages, these are functions with changed lines of
/// which the report knows none, and functions that the report has at other lines.
std::string why_of_other_version(const ImportedFile& imported, const std::string& text, const SourceAnalysis* python,
                                 const std::vector<int32_t>& changed);

/// Those of the `changed` lines that are code in the body of a function, as far as its braces show. Only languages with
/// braces are understood.
std::vector<int32_t> changed_code_lines(const std::string& text, const std::vector<int32_t>& changed);

/// Whether a file is of such a language, by its name.
bool has_braces(const std::string& path);

/// Says which files that no report names should be in one.
class ImportedSources {
 public:
  /// `root` is the top of the working tree.
  ImportedSources(const CoverageData& data, const std::string& root, CanonicalPaths& canonical);
  /// Whether reports have files of the same language.
  bool knows_language(const std::string& canonical) const;
  /// Whether a report of the same language should name the file: the file is below the folder that all imported files
  /// have in common. If that is the top folder, it has to be in the top folder itself, or in one of its folders that
  /// has imported files.
  bool expects(const std::string& canonical) const;

 private:
  std::string root_;
  std::set<std::string> extensions_, folders_;
  std::string common_;  // folder of all files, with '/' at its end
};

}  // namespace qd::report
