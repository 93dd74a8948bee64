// File of a journal: takes room on the disk, gets its name, and takes cells.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "report/data/process_mark.h"

namespace qd::instrument {

/// The file `_qd_kcov-journal.*` of this process, which exists once it is opened. A full disk, or a folder
/// that cannot be written, is reported once on stderr, and nothing is written any more. Not thread-safe.
class JournalFile {
 public:
  /// `folder`: the folder of the file; empty: there is no file.
  explicit JournalFile(std::string folder) : folder_(std::move(folder)), given_up_(folder_.empty()) {}
  ~JournalFile() { close_file(); }
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  /// Makes the file, once. Returns the readers that see this process's lock on it.
  report::LockReach open();
  /// Reserves disk space for `size` bytes more: later writes need none.
  void grow(size_t size);
  /// Renames the file to its own name, once it has a head. Nobody has seen it under that name unlocked.
  void take_name();
  /// Writes `size` bytes of cells at an offset, as they are now. Of two values of a cell, the later one must be written
  /// last. False when others have cut the file off: everything must be written again.
  bool write(const uint64_t* cells, size_t size, size_t at);
  /// Deletes the file, which is written no more.
  void remove();
  /// Called in the child of a fork: the file belongs to the parent, and lives as long as the parent.
  void leave_to_parent();

  /// Path of the file, for messages; empty when there is none.
  const std::string& path() const { return path_; }

 private:
  bool make();
  bool put(const uint64_t* cells, size_t size, size_t at) const;
  void give_up(const char* what);
  void close_file();
  /// Whether a descriptor is still that of this file: a program may close all of them, and open files of its own.
  bool is_own(int descriptor) const;

  std::string folder_, path_, unlocked_;
  bool given_up_;
  int file_ = -1, lock_ = -1;
  dev_t device_ = 0;
  ino_t number_ = 0;
  report::LockReach reach_ = report::LockReach::None;
  size_t size_ = 0;
};

}  // namespace qd::instrument
