// Parts common to fuzz targets: files in memory alone, and the failure of a check.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace qd::fuzz {

/// Ends the run as a crash does, so that the input is kept.
inline void require(bool holds) {
  if (!holds) std::abort();
}

/// The path of a file with these bytes, which is opened like any other. It is the same file in each call.
inline const std::string& file_with(std::string_view bytes) {
  static const int file = memfd_create("fuzz", MFD_CLOEXEC);
  static const std::string name = fmt::format("/proc/self/fd/{}", file);
  require(ftruncate(file, 0) == 0 && pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return name;
}

/// A folder of its own, in memory where there is such a place; gone when the object is.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const bool in_memory = std::filesystem::is_directory("/dev/shm");
    path_ = (in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) / "fuzz.XXXXXX";
    require(mkdtemp(path_.data()) != nullptr);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace qd::fuzz
