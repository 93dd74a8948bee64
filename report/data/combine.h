// Combination of many data files into one.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/data/combine_inputs.h"
#include "report/data/coverage_data.h"

namespace qd::report {

struct CombineOptions {
  std::string data_file;           // path of the result
  std::vector<std::string> paths;  // data files, or folders that hold them; empty: the folder of `data_file`
  std::vector<std::string> left;   // other places with data that should be in the result and is not
  bool parts_only = false;         // from the folder of `data_file`, only `<data file>.*`
  bool append = false;             // the present content of `data_file` is kept
  bool keep = false;               // inputs are not deleted
  bool mixed = false;              // allow data with and without branches to be combined
  // The functions below may be empty. All but the last are called on the calling thread.
  std::function<std::string(const std::string&)> map_path;  // renames measured files
  std::function<void(const std::string& message)> warn;     // an input that cannot be read, or deleted
  std::function<void(const std::string& path)> unread;      // an input that should hold data and cannot be read
  std::function<void(const std::string& message)> detail;   // progress of each input
  std::function<void(size_t done, size_t of)> progress;     // number of merged inputs
  /// Reads a file of another tool; no value when it has none of the known formats. Throws DataError. Such inputs are
  /// never deleted: they are not coverage.py's. May be empty; is called on several threads at once.
  std::function<std::optional<CoverageData>(const std::string& path)> import;
};

struct CombineCounts {
  size_t combined = 0, skipped = 0, errored = 0;
  bool completed =
      false;         // an interrupted combination was completed; its inputs are in the data file, and not counted here
  std::string note;  // mixed_note() of the result

  /// Summary: "Combined 3 files, skipped 1, 1 file errored".
  std::string message() const;
};

/// Sentence about mixed data: which files have no branch data, and which have lines beyond it; empty for other data.
std::string mixed_note(const CoverageData& data);

/// Sentence about files of an input that became one; empty when there are none.
std::string joined_note(const CoverageData& data);

/// Combines data files, and reads them on all cores. Inputs are deleted only after the result is safely on disk;
/// signals that end the program wait meanwhile. `data_file` itself may be among the inputs, under any name. Of
/// duplicates one is used. If an earlier combination was killed, the data that it has put into `data_file` is kept, and
/// its remaining files are deleted. Throws DataError (statement data meets branch data) or NoDataError (nothing
/// usable); then nothing was changed.
CombineCounts combine_data(const CombineOptions& options);

/// Leaves out of `files` those whose present content an earlier combination kept: `kept` is CoverageData::kept_inputs.
void leave_out_kept(std::vector<std::string>& files, const std::set<uint64_t>& kept);

/// Removes `data_file`, the kernel runtime's files beside it, `_qd_kcov.*` and journals of processes that have ended,
/// and, when asked, `<data file>.*`. It is no error when there are none. Files that are not
/// measured data stay: then throws DataError.
void erase_data(const std::string& data_file, bool with_parts);

}  // namespace qd::report
