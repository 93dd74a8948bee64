// Identity of a file: tells whether a path still leads to the same file with the same content.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace qd::report {

/// Two identities of one path are equal when the file was neither replaced nor written to in between, also if they were
/// taken on different hosts.
struct FileIdentity {
  uint64_t device = 0;  // number on this host: each host that mounts a file system gives it one
  uint64_t inode = 0;
  int64_t born = 0;  // nanoseconds since the epoch; 0 if the file system does not record it
  uint64_t size = 0;
  int64_t modified = 0;  // likewise
  uint32_t changes = 0;  // SQLite's own count of changes, which also tells changes within one tick of the clock

  /// Identity of the regular file to which a path leads; no value when there is none.
  static std::optional<FileIdentity> of(const std::string& path);
  bool is_same_file(const FileIdentity& other) const {
    return device == other.device && inode == other.inode && born == other.born;
  }
  /// The same for identities of one path, which may be from different hosts.
  bool is_same_file_of_path(const FileIdentity& other) const { return inode == other.inode && born == other.born; }
  bool operator==(const FileIdentity& other) const {
    return is_same_file_of_path(other) && size == other.size && modified == other.modified && changes == other.changes;
  }
};

}  // namespace qd::report
