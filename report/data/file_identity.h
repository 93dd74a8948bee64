// Which file it is, and whether it is still as it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace qd::report {

/// Equal when nobody has put another file in its place, or written to it.
struct FileIdentity {
  uint64_t device = 0, inode = 0;
  int64_t born = 0;  // nanoseconds since the epoch; 0 where the file system does not know
  uint64_t size = 0;
  int64_t modified = 0;  // likewise
  uint32_t changes = 0;  // SQLite's own count of them, for what happens between two ticks of the clock

  /// Of the regular file that a path leads to; no value when there is none.
  static std::optional<FileIdentity> of(const std::string& path);
  bool is_same_file(const FileIdentity& other) const {
    return device == other.device && inode == other.inode && born == other.born;
  }
  bool operator==(const FileIdentity&) const = default;
};

}  // namespace qd::report
