// File measurer: changed statements of one file, and their measured data.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/diff/data_paths.h"
#include "report/diff/diff_coverage.h"

namespace qd::report {

/// Reasons for a file without numbers.
inline constexpr const char* kNoData = "no data";
inline constexpr const char* kOtherVersion = "the data is of another version of it";
inline constexpr const char* kPartlyOtherVersion =
    "some of the data does not say of which version of it it is, and may be of another";

/// Text of a changed file, and its analysis if it is Python.
struct ChangedSource {
  std::string text;
  std::optional<SourceAnalysis> analysis;
  std::string not_python;  // reason for a missing analysis of a file that should have one
  std::string encoding;    // of Python whose lines may differ from those of the file
  bool by_link = false;    // the change is that of a link: a report may be of its former target
};

/// SourceComments on a measured file beside its numbers.
struct FileNotes {
  std::vector<std::string> kernels;  // changed lines of kernels that no test could have reached
  std::vector<std::string> reports;  // about names and exclusions in reports of other tools
  bool stale_conditions = false;     // conditions were recorded for another version of the file
};

/// Measures files of one set of data. Const functions are thread-safe.
class FileMeasurer {
 public:
  /// `data` outlives it.
  FileMeasurer(const CoverageData& data, const DiffCoverageOptions& options, CanonicalPaths& canonical);

  const DataPaths& paths() const { return paths_; }
  const std::vector<std::string>& archs() const { return archs_; }

  /// Reads a changed file for this measurer, and for those of parts of its data. `file.path` is for messages.
  ChangedSource read(const DiffFile& file, const std::string& canonical, const std::string& bytes) const;

  /// Fills in the numbers of `file`. `canonical` is its path, `bytes` its content. Throws NotPython.
  FileNotes measure(DiffFile& file, const std::string& canonical, const std::string& bytes,
                    const ChangedSource& source) const;

 private:
  std::set<int32_t> touched_lines(const DiffFile& file, const SourceAnalysis& source) const;
  std::vector<int32_t> changed_statements(const DiffFile& file, const SourceAnalysis& source) const;
  FileNotes measure_imported(DiffFile& file, const std::string& name, const ChangedSource& source) const;
  FileNotes set_ambiguous(DiffFile& file, const AmbiguousName& name, const ChangedSource& source) const;

  void measure_plugin_file(DiffFile& file, const FileData& data, const ChangedSource& source) const;

  const CoverageData& data_;
  const DiffCoverageOptions& options_;
  std::vector<std::string> archs_;  // measured_archs()
  DataPaths paths_;
  std::set<std::string> with_branches_;  // languages of imported files with branches
  AnalysisOptions analysis_options_;
};

/// First lines of the logical lines that the change touches. A line that was removed from the middle of a logical line
/// touches it too.
std::set<int32_t> touched_logical_lines(const DiffFile& file, const SourceAnalysis& source);

/// Converts the line numbers of `file` from git's to Python's: Python also ends a line at a lone '\r'.
void translate_lines(const std::string& bytes, DiffFile& file);

}  // namespace qd::report
