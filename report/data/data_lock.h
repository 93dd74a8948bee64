// One process at a time changes a data file.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "report/data/temporary_name.h"

namespace qd::report {

/// A lock on a file beside the data file, `.qd-cov<data file>.lock`, that is there while somebody has the lock. Where
/// it cannot be made, or the file system knows no locks, nothing is locked. What is noted in it outlives the process.
class DataLock {
 public:
  using Warn = std::function<void(const std::string&)>;

  /// Waits for its turn; `warn`, which may be empty, hears of it when that takes long.
  DataLock(const std::string& data_file, const Warn& warn);
  ~DataLock();
  DataLock(const DataLock&) = delete;
  DataLock& operator=(const DataLock&) = delete;

  /// What a process noted that died before its work was done; empty when another user could have written it.
  const std::string& found() const { return found_; }
  /// Adds to what is noted. `safely`: it is on the disk when this returns.
  void note(const std::string& text, bool safely);
  /// Signals that end the program leave the file from now on.
  void outlive_signals() { removed_on_signals_.reset(); }
  /// Nothing is left to do: the file goes with the lock.
  void forget_notes();

  /// Whether a process that had the lock left something to do.
  static bool left_behind(const std::string& data_file);

 private:
  bool take(const Warn& warn);
  void read_note();

  std::string data_file_, path_;
  int file_ = -1;
  bool noted_ = false;
  std::string found_;
  std::unique_ptr<TemporaryName> removed_on_signals_;
};

}  // namespace qd::report
