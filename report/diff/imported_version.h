// Whether a report of another tool can be of a source as it stands. Such reports have no hashes; their lines and
// functions, and the time, have to say it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "report/analysis/analysis.h"
#include "report/data/coverage_data.h"
#include "report/diff/data_paths.h"

namespace qd::report {

/// Why `imported` is of another version of the file whose text is `text`; empty when nothing says so. `python` is its
/// analysis, if there is one; `changed` are its changed lines. A line after the last one says it in any case. What is
/// missing in the report says it only if the source is newer: then statements of Python that it has and the report has
/// not, or the other way round; of other languages functions with changed lines of which the report knows none, and
/// functions that the report has in other lines.
std::string why_of_other_version(const ImportedFile& imported, const std::string& text, const SourceAnalysis* python,
                                 const std::vector<int32_t>& changed);

/// Those of the `changed` lines that are code in the body of a function, as far as its braces show that. No language
/// but those with braces is understood.
std::vector<int32_t> changed_code_lines(const std::string& text, const std::vector<int32_t>& changed);

/// By its name: whether a file is of such a language.
bool has_braces(const std::string& path);

/// Which files that no report names could be in one.
class ImportedSources {
 public:
  /// `root` is the top of the working tree.
  ImportedSources(const CoverageData& data, const std::string& root, CanonicalPaths& canonical);
  /// Whether reports have files of the same language.
  bool knows_language(const std::string& canonical) const;
  /// Whether, of the same language, they have files in the same folder; all of them together or, in the top folder,
  /// those of a folder in it.
  bool expects(const std::string& canonical) const;

 private:
  std::string root_;
  std::set<std::string> extensions_, folders_;
  std::string common_;  // folder of all files, with '/' at its end
};

}  // namespace qd::report
