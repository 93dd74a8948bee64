// Reading a data file, adding to it and writing it again, while other processes do the same.
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

/// One change of a data file. Processes of ours take turns. coverage.py knows of no turns: what it wrote to the file
/// between present() and commit() is added.
class DataUpdate {
 public:
  using Warn = DataLock::Warn;

  /// Waits for its turn, and does first what a process that was killed has left to do. Throws DataError. `warn` may be
  /// empty.
  DataUpdate(const std::string& data_file, Warn warn);

  /// The inputs of a combination that was interrupted when its result was the data file already: they are in it, and
  /// deleted. Absolute paths.
  const std::set<std::string>& completed() const { return completed_; }

  /// What the data file holds now, none when it is not there; what is written then must hold it too.
  CoverageData present();

  /// Writes the data file, then deletes `inputs`, those that are still as they were. Signals that end programs wait.
  /// Throws DataError; then nothing was changed.
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
  bool adds_ = false;                 // to what there is
  std::optional<FileIdentity> read_;  // what present() has read
};

}  // namespace qd::report
