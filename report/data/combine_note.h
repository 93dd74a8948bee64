// What a process that writes a data file leaves for the next one, should it be killed.
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

/// Written before the result becomes the data file, so it holds once that is so.
struct CombineNote {
  FileIdentity result;
  std::vector<std::string> displaced;  // files that were the data file before; the first ones are the oldest
  bool adds = false;                   // what they hold belongs into the data file
  std::vector<CombinedInput> inputs;   // to be deleted

  /// Notes can be written one after the other.
  std::string packed() const;
};

/// All notes of a text that are whole.
std::vector<CombineNote> unpack_notes(const std::string& text);

}  // namespace qd::report
