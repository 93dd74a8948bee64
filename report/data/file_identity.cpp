// Identity of the file at a path, for telling whether it is unchanged.
#include "report/data/file_identity.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace qd::report {

std::optional<FileIdentity> FileIdentity::of(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct statx status = {};
  const unsigned wanted = STATX_TYPE | STATX_INO | STATX_SIZE | STATX_MTIME | STATX_BTIME;
  // A file that cannot be opened has an identity, too.
  const int failed =
      file >= 0 ? statx(file, "", AT_EMPTY_PATH, wanted, &status) : statx(AT_FDCWD, path.c_str(), 0, wanted, &status);
  unsigned char count[4] = {};
  if (file >= 0) {
    constexpr off_t kChangeCounter = 24;  // https://www.sqlite.org/fileformat2.html#file_change_counter
    if (failed == 0 && S_ISREG(status.stx_mode) && pread(file, count, sizeof count, kChangeCounter) != sizeof count)
      count[0] = count[1] = count[2] = count[3] = 0;
    close(file);
  }
  if (failed != 0 || !S_ISREG(status.stx_mode)) return std::nullopt;
  auto nanoseconds = [](const statx_timestamp& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; };
  FileIdentity identity;
  identity.device = makedev(status.stx_dev_major, status.stx_dev_minor);
  identity.inode = status.stx_ino;
  identity.born = status.stx_mask & STATX_BTIME ? nanoseconds(status.stx_btime) : 0;
  identity.size = status.stx_size;
  identity.modified = nanoseconds(status.stx_mtime);
  identity.changes = uint32_t{count[0]} << 24 | uint32_t{count[1]} << 16 | uint32_t{count[2]} << 8 | count[3];
  return identity;
}

}  // namespace qd::report
