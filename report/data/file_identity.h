// Identity of a file: tells whether a path still leads to the same file with the same content.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace qd::report {

/// Two identities are equal when the file was neither replaced nor written to in between.
struct FileIdentity {
  uint64_t device = 0, inode = 0;
  int64_t born = 0;  // nanoseconds since the epoch; 0 if the file system does not record it
  uint64_t size = 0;
  int64_t modified = 0;  // likewise
  uint32_t changes = 0;  // SQLite's own count of changes, which also tells changes within one tick of the clock

  /// Identity of the regular file to which a path leads; no value when there is none.
  static std::optional<FileIdentity> of(const std::string& path);
  bool is_same_file(const FileIdentity& other) const {
    return device == other.device && inode == other.inode && born == other.born;
  }
  bool operator==(const FileIdentity&) const = default;
};

}  // namespace qd::report
