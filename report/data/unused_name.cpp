// Unused names, taken in one step of the operating system: RENAME_NOREPLACE, else link(2), else O_EXCL.
#include "report/data/unused_name.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>

namespace qd::report {

namespace {

/// Renames to a name that must not exist. Returns zero; EEXIST when it exists; or another error.
int rename_to_new(const char* from, const char* name) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, name, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // NFS and others lack RENAME_NOREPLACE. A file may have two names, or else a name can be reserved.
  if (link(from, name) == 0) return unlink(from) == 0 ? 0 : errno;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return errno;
  const int reserved = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (reserved < 0) return errno;
  close(reserved);
  if (std::rename(from, name) == 0) return 0;
  const int error = errno;
  unlink(name);
  return error;
}

}  // namespace

std::string random_word() {
  std::random_device random;
  return fmt::format("{:08x}", static_cast<uint32_t>(random()));
}

std::string move_to_unused(const std::string& from, const std::string& wanted) {
  constexpr int kCounted = 1000;
  std::string name = wanted;
  for (int i = 1;; ++i) {
    const int error = rename_to_new(from.c_str(), name.c_str());
    if (error == 0) return name;
    if (error != EEXIST) {
      errno = error;
      return "";
    }
    name = i < kCounted ? fmt::format("{}.{}", wanted, i) : fmt::format("{}.{}", wanted, random_word());
  }
}

}  // namespace qd::report
