// The note that a process leaves for the next one before it replaces a data file, in case it is killed.
#pragma once

#include <string>
#include <vector>

#include "report/data/file_identity.h"

namespace qd::report {

/// A file whose data is in a result.
struct CombinedInput {
  std::string path;
  FileIdentity identity;    // as it was read
  bool is_damaged = false;  // it is not deleted, but given another name
};

/// The note is written before the result becomes the data file, so it is true once that has happened.
struct CombineNote {
  FileIdentity result;
  std::vector<std::string> displaced;  // files that were the data file before, the oldest first
  bool adds = false;                   // what these files hold belongs into the data file
  std::vector<CombinedInput> inputs;   // to be deleted

  /// The note as bytes. Several may be written one after the other.
  std::string packed() const;
};

/// All complete notes in a text.
std::vector<CombineNote> unpack_notes(const std::string& text);

}  // namespace qd::report
