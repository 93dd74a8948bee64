// Changes a data file: reads it, adds to it and writes it, while other processes do the same.
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

/// One change of a data file. Processes of ours take turns. coverage.py knows of no turns, so what it writes to the
/// file between present() and commit() is added.
class DataUpdate {
 public:
  using Warn = DataLock::Warn;

  /// Waits for its turn. First completes what a process that was killed has left to do. Throws DataError, also when
  /// there is something else than measured data at `data_file`. `warn` may be empty.
  DataUpdate(const std::string& data_file, Warn warn);

  /// The inputs of an interrupted combination whose result was the data file already. Their data is in it, and they are
  /// deleted. Absolute paths.
  const std::set<std::string>& completed() const { return completed_; }

  /// What the data file holds now; empty when there is none. The data that is committed must include it.
  CoverageData present();

  /// Writes the data file, and then deletes those `inputs` that are still as they were. Signals that end programs wait
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
  bool adds_ = false;                 // the data is added to what the data file holds
  std::optional<FileIdentity> read_;  // what present() has read
};

}  // namespace qd::report
