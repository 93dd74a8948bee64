// Brings together the data that the processes of a measured command have left.
#pragma once

#include <cstdint>
#include <string>

#include "report/config/config.h"
#include "report/config/source_filter.h"
#include "report/data/coverage_data.h"

namespace qd::cli {

/// A folder apart from all files of the user, in which measured processes leave their data. It is deleted together with
/// this object.
class PrivateFolder {
 public:
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  /// "start", "host" or "kernels".
  std::string operator/(const char* name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  /// When it was made, before anything was measured: nanoseconds of the epoch.
  int64_t start() const { return start_; }
  void keep() { keep_ = true; }
  void remove();

 private:
  std::string path_;
  int64_t start_ = 0;
  bool keep_ = false;
};

/// Adds what the processes left in `folder` to `data`: host data, and kernel data of the files that the host's coverage
/// would measure, under the names that it would give them. Warns of files that cannot be read, or not as a whole, and
/// then returns false.
bool add_measured_data(report::CoverageData& data, const PrivateFolder& folder, const report::Config& config,
                       const report::SourceFilter& filter);

/// What coverage.py adds to the name of a data file in parallel mode: ".host.pid123.Xabcdefx".
std::string data_file_suffix();

}  // namespace qd::cli
