// Output files of reports: written whole or not at all.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "report/data/temporary_name.h"

namespace qd::cli {

/// Error of a report that could not be written ("Couldn't write '...': ..."); an older file is unchanged.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that takes its name only when it is complete (atomic rename). Until `commit` it has no name (or a temporary
/// one, if the file system knows no other way), so no reader sees half a report, and an interrupt leaves no file
/// behind. Devices and pipes are written directly. "-" is standard output, which gets everything at `commit`. All
/// functions throw WriteError.
class OutputFile {
 public:
  /// Makes the folder of `path` when it does not exist.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(int error) const;
  std::string unfinished_name() const;
  void open_replacement();
  void flush();
  void take_name();
  void copy_over();

  std::string path_;                                         // as it was given
  std::string target_;                                       // target of `path_` behind links
  std::string temporary_;                                    // a name beside `target_`; empty while the file has none
  std::optional<report::TemporaryName> removed_on_signals_;  // the same
  std::string buffer_;                                       // bytes that are not written yet
  int fd_ = -1;
  bool replaces_ = false;  // the target is a regular file, or does not exist yet
};

/// Opens `path`, calls `write`, and commits. On any error but one of writing, an earlier report is removed, as in
/// coverage.py: it would be taken for the new one.
void write_report(const std::string& path, const std::function<void(OutputFile&)>& write);

/// Writes `text` to `path`.
void write_output_file(const std::string& path, const std::string& text);

}  // namespace qd::cli
