// Combine note: a process leaves it for the next one before it replaces a data file, in case it is killed.
#pragma once

#include <string>
#include <vector>

#include "report/data/file_identity.h"

namespace qd::report {

/// A file whose data is in a result.
struct CombinedInput {
  std::string path;
  FileIdentity identity;    // at the time of reading
  bool is_damaged = false;  // it is renamed instead of deleted
};

/// A note is written before the result becomes the data file, and describes the state after that.
struct CombineNote {
  FileIdentity result;
  std::vector<std::string> displaced;  // former data files, the oldest first
  bool adds = false;                   // the data of these files belongs into the data file
  std::vector<CombinedInput> inputs;   // to be deleted

  /// Serialises the note. Several may be written one after the other.
  std::string packed() const;
};

/// Parses all complete notes in a text.
std::vector<CombineNote> unpack_notes(const std::string& text);

}  // namespace qd::report
