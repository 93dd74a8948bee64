// Unfinished data file under a temporary name, until it replaces the old one (atomic rename).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "report/data/coverage_data.h"
#include "report/data/temporary_name.h"

namespace qd::report {

/// A file in the folder of `target`. It is removed again unless it replaces `target`. Its name matches neither `<data
/// file>.*` nor `_qd_kcov.*`, so no command combines it.
class UnfinishedFile {
 public:
  /// `shown` is the data file's name in messages. `announce` is called with the file's own name before the file exists.
  UnfinishedFile(const std::string& target, const std::string& shown,
                 const std::function<void(const std::string& path)>& announce = {});
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::string& path() const { return path_; }
  /// Writes `data`, and flushes it to the disk. Throws DataError.
  void write(const CoverageData& data);
  /// Renames the file to `target`, replacing any file there. Throws DataError.
  void take_place();
  /// Renames the file to `target`, or to a name beside it if that exists: move_to_unused(). Returns its name. Throws
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

/// Path of the data file behind a symbolic link: a link stays a link, its target is replaced. Throws DataError when no
/// file can be made there.
std::string data_file_target(const std::string& path);

}  // namespace qd::report
