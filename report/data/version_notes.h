// What a report says about versions: for which files the data may not be that of the sources at hand.
#pragma once

#include <string>
#include <vector>

#include "report/data/source_version.h"

namespace qd::report {

/// "'a.py'", "'a.py' and 2 more"
std::string first_of(const std::vector<std::string>& names);

/// The files of a report, by how their data relates to their sources.
struct VersionNotes {
  std::vector<std::string> unknown;  // all whose data does not say, the newer ones too
  std::vector<std::string> newer;
  std::vector<std::string> other;
  std::vector<std::string> partly_other;
  std::vector<std::string> ambiguous;  // names in reports that fit several files, as AmbiguousName::text() says it

  void add(const std::string& file, SourceVersion version);
  /// Whether all data may be taken for that of the sources.
  bool trusted() const { return other.empty() && partly_other.empty() && ambiguous.empty(); }
  /// A sentence for each kind that occurs, except unknown.
  std::vector<std::string> notes() const;
  /// The files because of which a gate is not met, as the end of a sentence; empty when there are none.
  std::string untrusted_files() const;
  /// Why --require-hashes is not met; empty when it is met.
  std::string without_hashes() const;
};

}  // namespace qd::report
