// Combines many data files into one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/data/combine_inputs.h"
#include "report/data/coverage_data.h"

namespace qd::report {

struct CombineOptions {
  std::string data_file;           // where the result goes
  std::vector<std::string> paths;  // data files, or folders that hold them; empty: the folder of `data_file`
  bool parts_only = false;         // of the folder of `data_file`, nothing but `<data file>.*`
  bool append = false;             // the present content of `data_file` is kept
  bool keep = false;               // inputs are not deleted
  bool mixed = false;              // data with and without branches may meet
  // The functions below may be empty. All but the last are called on the calling thread.
  std::function<std::string(const std::string&)> map_path;  // renames measured files
  std::function<void(const std::string& message)> warn;     // an input that cannot be read, or deleted
  std::function<void(const std::string& message)> detail;   // what was done with each input
  std::function<void(size_t done, size_t of)> progress;     // inputs that are merged
  /// Reads a file of another tool; no value for what is none. Throws DataError. Such inputs are never deleted: they are
  /// not coverage.py's. May be empty; is called on several threads at once.
  std::function<std::optional<CoverageData>(const std::string& path)> import;
};

struct CombineCounts {
  size_t combined = 0, skipped = 0, errored = 0;
  bool completed =
      false;  // a combination that was interrupted; what it had combined is in the data file, and not counted here
  std::string note;  // mixed_note() of the result

  /// "Combined 3 files, skipped 1, 1 file errored"
  std::string message() const;
};

/// Which files of mixed data have no branch data, and which have lines beyond it, as a sentence; empty for other data.
std::string mixed_note(const CoverageData& data);

/// Which files of an input became one, as a sentence; empty: none.
std::string joined_note(const CoverageData& data);

/// Combines data files, and reads them on all cores. Inputs are deleted only after the result is safely on disk;
/// signals that end the program wait meanwhile. `data_file` itself may be among the inputs, under any name. Of
/// duplicates one is used. If an earlier combination was killed, what it has put into `data_file` is kept, and what it
/// left over is deleted. Throws DataError (statement data meets branch data) or NoDataError (nothing usable); then
/// nothing was changed.
CombineCounts combine_data(const CombineOptions& options);

/// Removes `data_file` and, when asked, `<data file>.*`. It is no error when there are none. What is not measured data
/// stays: then throws DataError.
void erase_data(const std::string& data_file, bool with_parts);

}  // namespace qd::report
