// Data lock: one process at a time changes a data file.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "report/data/temporary_name.h"

namespace qd::report {

/// A lock on the file `.qd-cov<data file>.lock` beside the data file. The file exists only while a process has the
/// lock. If the file cannot be made, or the file system has no locks, nothing is locked. Notes in the file outlive the
/// process.
class DataLock {
 public:
  using Warn = std::function<void(const std::string&)>;

  /// Waits for the lock. `warn`, which may be empty, is called when that takes long.
  DataLock(const std::string& data_file, const Warn& warn);
  ~DataLock();
  DataLock(const DataLock&) = delete;
  DataLock& operator=(const DataLock&) = delete;

  /// The note of a process that died before its work was done. Empty when another user could have written it.
  const std::string& found() const { return found_; }
  /// Adds to the note. `safely`: the note is on the disk when this returns.
  void note(const std::string& text, bool safely);
  /// From now on, a signal that ends the program leaves the file.
  void outlive_signals() { removed_on_signals_.reset(); }
  /// Discards the notes: the file is removed together with the lock.
  void forget_notes();

  /// Whether a process that had the lock left a note of unfinished work.
  static bool left_behind(const std::string& data_file);

 private:
  bool take(const Warn& warn);
  bool open_file();
  bool own();
  void remove_useless();
  void read_note();

  std::string data_file_, path_;
  int file_ = -1;
  bool noted_ = false;
  std::string found_;
  std::unique_ptr<TemporaryName> removed_on_signals_;
};

}  // namespace qd::report
