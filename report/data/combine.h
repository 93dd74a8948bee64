// Many data files into one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"

namespace qd::report {

struct CombineOptions {
  std::string data_file;           // where the result goes
  std::vector<std::string> paths;  // data files, or folders that hold them; empty: the folder of `data_file`
  bool append = false;             // the present content of `data_file` is kept
  bool keep = false;               // inputs are not deleted
  bool mixed = false;              // data with and without branches may meet
  std::function<std::string(const std::string&)> map_path;  // renames measured files; may be empty
  std::function<void(const std::string& message)> warn;     // an input that cannot be read
};

struct CombineCounts {
  size_t combined = 0, skipped = 0, errored = 0;
  std::string note;  // mixed_note() of the result

  /// "Combined 3 files, skipped 1, 1 file errored"
  std::string message() const;
};

/// The data files that `qd-cov combine PATHS` takes, absolute and sorted: files as they are, from folders `<data
/// file>.*`, the kernel runtime's `_qd_kcov.*`, and the journals of its processes that have died. Throws NoDataError for a path that does not exist.
std::vector<std::string> combinable_files(const std::string& data_file, const std::vector<std::string>& paths);

/// Which files of mixed data have no branch data, and which have lines beyond it, as a sentence; empty for other data.
std::string mixed_note(const CoverageData& data);

/// Combines. Inputs are deleted only after the result is safely on disk; `data_file` itself may be among them.
/// Duplicates are taken once. Throws DataError (statement data meeting branch data) or NoDataError (nothing usable);
/// then nothing was changed.
CombineCounts combine_data(const CombineOptions& options);

/// Removes `data_file` and, when asked, `<data file>.*`. It is no error when there are none.
void erase_data(const std::string& data_file, bool with_parts);

}  // namespace qd::report
