// Private folder: made with the rights of its user alone.
#include "cli/measure/private_folder.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "report/data/source_version.h"
#include "report/data/temporary_name.h"

namespace qd::cli {

namespace fs = std::filesystem;

PrivateFolder::PrivateFolder() {
  const fs::path folder = fs::absolute(report::temporary_folder());
  std::string pattern = (folder / "qd-cov.XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw std::runtime_error(fmt::format("Couldn't create a folder in '{}'", folder.string()));
  path_ = pattern;
  make_parts();
}

PrivateFolder::PrivateFolder(const std::string& path) : path_(path) {
  if (mkdir(path.c_str(), 0700) != 0)
    throw std::runtime_error(fmt::format("Couldn't create the folder '{}': {}", path, std::strerror(errno)));
  make_parts();
}

PrivateFolder::~PrivateFolder() {
  if (!keep_) remove();
}

void PrivateFolder::make_parts() {
  start_ = report::written_at(path_).value_or(0);  // by the clock of files, which is coarser than the system's
  for (const char* folder : {"start", "host", "kernels"}) fs::create_directory(fs::path(path_) / folder);
}

void PrivateFolder::rename(const std::string& path) {
  fs::rename(path_, path);
  path_ = path;
}

void PrivateFolder::remove() {
  std::error_code error;
  fs::remove_all(path_, error);
}

}  // namespace qd::cli
