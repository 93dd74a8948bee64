// Version notes of a report: the files whose data may not be that of the present sources.
#pragma once

#include <string>
#include <vector>

#include "report/data/source_version.h"

namespace qd::report {

/// Names for a message: "'a.py'", "'a.py' and 2 more".
std::string first_of(const std::vector<std::string>& names);

/// Files of a report, by the relation of their data to their sources.
struct VersionNotes {
  std::vector<std::string> unknown;  // all files with data without a version, those of `newer` too
  std::vector<std::string> newer;
  std::vector<std::string> other;
  std::vector<std::string> partly_other;
  std::vector<std::string> without_lines;
  std::vector<std::string> ambiguous;  // names in reports that fit several files, as AmbiguousName::text()

  void add(const std::string& file, SourceVersion version);
  /// Whether all data may be taken for that of the present sources.
  bool trusted() const { return other.empty() && partly_other.empty() && without_lines.empty() && ambiguous.empty(); }
  /// Returns a sentence for each kind that occurs, except unknown.
  std::vector<std::string> notes() const;
  /// Files because of which a gate is not met, as the end of a sentence; empty when there are none.
  std::string untrusted_files() const;
  /// Reason why --require-hashes is not met; empty when it is met.
  std::string without_hashes() const;
};

}  // namespace qd::report
