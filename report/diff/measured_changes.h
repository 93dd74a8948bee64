// Measured changes: the changed files with their data.
#pragma once

#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"
#include "report/diff/measure_file.h"
#include "report/diff/reported_sources.h"

namespace qd::report {

/// A file to be measured.
struct Candidate {
  const ChangedFile* change;
  std::string path;       // absolute
  std::string canonical;  // without links
  bool in_data;
  const LinkedFile* link = nullptr;     // the link to the file; null: none
  const ChangedFile* target = nullptr;  // the change of the link's target, under its own name
  bool all_new = false;                 // all lines count, although git shows those alone that were edited
};

/// The result of measuring a file.
struct Measured {
  DiffFile file;
  FileNotes notes;
  bool without_code = false;      // no code in the changed lines of a file of another language, as far as a scan shows
  bool counts_elsewhere = false;  // counts under the file's own name: a link leads to it
  std::vector<DiffFile> of_inputs;  // for each of the inputs, without sources
};

bool is_notebook(const std::string& path);

/// Measures changed files, several at once.
class MeasuredChanges {
 public:
  MeasuredChanges(const CoverageData& data, const std::string& root, const DiffCoverageOptions& options);

  /// Sources in the folder that are not part of the change, because git does not track them.
  std::vector<std::string> untracked_sources(const Changes& changes);

  const DataPaths& paths() const { return all_.paths(); }
  const std::vector<std::string>& archs() const { return all_.archs(); }
  /// Files of a language that reports have, in folders that no reported file is in.
  const std::vector<std::string>& unnamed() const { return unnamed_; }

  /// Path that the data may have for a file without data; null when there is none. The next two: whether any file of
  /// the data is here, and whether none of the file's language is.
  const std::string* path_elsewhere(const std::string& path) { return sources_.path_elsewhere(canonical_(path)); }
  bool any_here() const { return sources_.any_here(); }
  bool is_elsewhere(const std::string& path) { return sources_.is_elsewhere(canonical_(path)); }

  /// Candidates of a change, in git's order.
  std::vector<Candidate> candidates(const Changes& changes);

  Measured measure(const Candidate& candidate) const;

 private:
  bool is_new_as_a_whole(const ChangedFile& change) const;

  /// Adds files that are reached by links, each of them once: not those that are candidates by their own names as a
  /// whole.
  void add_linked(const Changes& changes, std::vector<Candidate>& result);

  const DiffCoverageOptions& options_;
  std::string root_;
  CanonicalPaths canonical_;
  FileMeasurer all_;
  ReportedSources sources_;
  std::vector<FileMeasurer> inputs_;
  std::vector<std::string> unnamed_;
};

}  // namespace qd::report
