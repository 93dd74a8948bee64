// Reported sources: files that the data should have but does not name, by their languages and by its other files.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/data/coverage_data.h"
#include "report/diff/data_paths.h"

namespace qd::report {

/// Whether a file is of a language with braces whose functions are understood, by its name.
bool has_braces(const std::string& path);
/// Language of a file by its suffix: ".py", ".go"; C, C++ and the like are one. Empty for a name without a suffix.
std::string language_of(const std::string& path);
/// Whether the suffix of a path is one of a language that reports measure. Nothing without a suffix: such a file may be
/// a script.
std::optional<bool> is_code_name(const std::string& path);
/// Whether a file has a suffix, and one that is not Python's.
bool is_other_language(const std::string& path);

/// Languages of a repository in the data. Files of the data are here when they are in the working tree; others were
/// measured elsewhere: in a container, on another system, in a folder that a report names in another way.
class ReportedSources {
 public:
  /// `root` is the top of the working tree. `data` outlives it.
  ReportedSources(const CoverageData& data, const std::string& root, CanonicalPaths& canonical);
  /// Whether any file of the data is here.
  bool any_here() const { return !here_.empty(); }
  /// Whether files of the same language are here.
  bool knows_language(const std::string& canonical) const;
  /// Whether files of the same language are in the data, and none of them is here.
  bool is_elsewhere(const std::string& canonical) const;
  /// Whether a report of the same language may be missing: nothing at all was measured, or nothing of the language and
  /// some data could not be read.
  bool may_lack_language(const std::string& canonical) const;
  /// Whether a report of the same language should name the file. It should when
  /// - files of the language were measured elsewhere alone, or some data could not be read, or nothing was measured;
  /// - a file of the same name was measured elsewhere;
  /// - the file is below the folder that all reported files here have in common; if that is the top folder: in the top
  ///   folder itself, or in one of its folders that has reported files;
  /// - the file is anywhere else, and neither its folders nor its name are those of tests, examples or third-party
  /// code:
  ///   reports usually leave these out.
  bool expects(const std::string& canonical) const;
  /// Returns a path of the data that the file may have elsewhere: of the same name, or else the first of its language.
  /// Null when there is none, or when files of the language are here and none of the same name is elsewhere.
  const std::string* path_elsewhere(const std::string& canonical) const;

 private:
  void add_here(const std::string& path);
  void add_elsewhere(const std::string& name);
  const std::string* same_name(const std::string& canonical) const;

  std::string root_;
  bool is_empty_ = false;                                // true when nothing was measured
  bool lacks_data_ = false;                              // true when some data could not be read
  std::set<std::string> here_, folders_;                 // languages; folders of reported files
  std::map<std::string, const std::string*> elsewhere_;  // [language]: the first file
  std::unordered_map<std::string, std::vector<const std::string*>>
      names_;           // [name without folders], of files elsewhere
  std::string common_;  // folder of all reported files here, with '/' at its end
};

}  // namespace qd::report
