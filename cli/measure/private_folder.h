// Private folder: a folder apart from all files of the user, for the data of measured processes.
#pragma once

#include <cstdint>
#include <string>

namespace qd::cli {

/// Deleted together with this object.
class PrivateFolder {
 public:
  /// A folder among the temporary files of this host.
  PrivateFolder();
  /// A folder at `path`, which must not exist.
  explicit PrivateFolder(const std::string& path);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  /// Path of a part: "start", "host" or "kernels".
  std::string operator/(const char* name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  /// Time when it was made, before the measurement: nanoseconds of the epoch.
  int64_t start() const { return start_; }
  void rename(const std::string& path);
  void keep() { keep_ = true; }
  void remove();

 private:
  void make_parts();

  std::string path_;
  int64_t start_ = 0;
  bool keep_ = false;
};

}  // namespace qd::cli
