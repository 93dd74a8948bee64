// A data file under a temporary name, until it replaces the old one.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "report/data/coverage_data.h"
#include "report/data/temporary_name.h"

namespace qd::report {

/// A file in the folder of `target`. It is removed again unless it takes the place of `target`. Its name matches
/// neither `<data file>.*` nor `_qd_kcov.*`, so nobody combines it.
class UnfinishedFile {
 public:
  /// `shown` is the data file's name in messages. `announce` is called with the file's own name before the file exists.
  UnfinishedFile(const std::string& target, const std::string& shown,
                 const std::function<void(const std::string& path)>& announce = {});
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::string& path() const { return path_; }
  /// Writes `data`, all the way to the disk. Throws DataError.
  void write(const CoverageData& data);
  /// Puts the file over `target`, whatever is there. Throws DataError.
  void take_place();
  /// Puts the file at `target`, or beside it where something is there: move_to_unused(). Returns its name. Throws
  /// DataError.
  std::string take_new_place();
  /// The same as take_place(). When it returns true, the old file has the temporary name now, and belongs to the
  /// caller. On file systems that cannot exchange two files, the old file is gone.
  bool exchange();

 private:
  void finish_rename();

  std::string target_, shown_, path_;
  std::optional<TemporaryName> name_;
};

/// Where `path` leads: a link stays a link, what it points to is replaced. Throws DataError when that is no place for a
/// file.
std::string data_file_target(const std::string& path);

}  // namespace qd::report
