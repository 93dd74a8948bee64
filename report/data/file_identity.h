// Says whether a path still leads to the same file with the same content.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace qd::report {

/// Two identities are equal when nobody has put another file in the place, or written to the file.
struct FileIdentity {
  uint64_t device = 0, inode = 0;
  int64_t born = 0;  // nanoseconds since the epoch; 0 where the file system does not know
  uint64_t size = 0;
  int64_t modified = 0;  // likewise
  uint32_t changes = 0;  // SQLite's own count of changes, which also tells changes within one tick of the clock

  /// The identity of the regular file to which a path leads; no value when there is none.
  static std::optional<FileIdentity> of(const std::string& path);
  bool is_same_file(const FileIdentity& other) const {
    return device == other.device && inode == other.inode && born == other.born;
  }
  bool operator==(const FileIdentity&) const = default;
};

}  // namespace qd::report
