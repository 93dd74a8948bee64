// Measured data of the processes of a measured command.
#pragma once

#include <cstdint>
#include <string>

#include "report/config/config.h"
#include "report/config/source_filter.h"
#include "report/data/coverage_data.h"

namespace qd::cli {

/// A temporary folder, apart from all files of the user, for the data of measured processes. It is deleted together
/// with this object.
class PrivateFolder {
 public:
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  /// Path of a part: "start", "host" or "kernels".
  std::string operator/(const char* name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  /// Time when it was made, before the measurement: nanoseconds of the epoch.
  int64_t start() const { return start_; }
  void keep() { keep_ = true; }
  void remove();

 private:
  std::string path_;
  int64_t start_ = 0;
  bool keep_ = false;
};

/// Adds the data of the processes in `folder` to `data`: host data, and kernel data of the files that the host's
/// coverage would measure, under its names of the files. Warns of files that cannot be read, or not as a whole, and
/// then returns false.
bool add_measured_data(report::CoverageData& data, const PrivateFolder& folder, const report::Config& config,
                       const report::SourceFilter& filter);

}  // namespace qd::cli
