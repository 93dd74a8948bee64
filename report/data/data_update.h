// Update of a data file: reads it, adds to it and writes it, while other processes do the same.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/data/combine_note.h"
#include "report/data/coverage_data.h"
#include "report/data/data_lock.h"
#include "report/data/file_identity.h"

namespace qd::report {

/// One change of a data file. Processes of ours take turns. coverage.py does not, so rows that it writes to the file
/// between present() and commit() are added.
class DataUpdate {
 public:
  using Warn = DataLock::Warn;

  /// Waits for the lock. First completes the work of a process that was killed. Throws DataError, also when a file at
  /// `data_file` is not measured data. `warn` may be empty.
  DataUpdate(const std::string& data_file, Warn warn);

  /// The inputs of an interrupted combination whose result was the data file already. Their data is in it, and they are
  /// deleted. Absolute paths.
  const std::set<std::string>& completed() const { return completed_; }

  /// Present content of the data file; empty when there is none. The data that is committed must include it.
  CoverageData present();

  /// Writes the data file, and then deletes those `inputs` that are still unchanged. Signals that end programs wait
  /// meanwhile. Throws DataError; then nothing was changed.
  void commit(CoverageData data, const std::vector<CombinedInput>& inputs = {});

 private:
  void complete();
  void write(CoverageData data, CombineNote note);
  CoverageData with_late_rows(const CombineNote& note);
  void delete_inputs(const std::vector<CombinedInput>& inputs) const;
  void warn(const std::string& message) const {
    if (warn_) warn_(message);
  }

  const std::string data_file_, target_;
  const Warn warn_;
  DataLock lock_;
  std::set<std::string> completed_;
  bool adds_ = false;                 // the data is added to the present content
  std::optional<FileIdentity> read_;  // the file that present() has read
};

}  // namespace qd::report
