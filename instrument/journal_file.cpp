// Writes the file with pwrite, not mmap: a mapped page that another program cuts off ends the process with SIGBUS, and
// a handler of that signal would stand in the way of the program's own.
#include "instrument/journal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "instrument/message.h"
#include "report/data/journal.h"
#include "report/data/unused_name.h"

namespace qd::instrument {

namespace {

/// Checks the file size limit (RLIMIT_FSIZE); sets errno when `size` is over it. A write beyond would raise SIGXFSZ.
bool may_have(size_t size) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= size) return true;
  errno = EFBIG;
  return false;
}

}  // namespace

bool JournalFile::is_own(int descriptor) const {
  struct stat now = {};
  if (fstat(descriptor, &now) == 0 && now.st_dev == device_ && now.st_ino == number_) return true;
  errno = EBADF;
  return false;
}

void JournalFile::close_file() {
  for (const int descriptor : {std::exchange(file_, -1), std::exchange(lock_, -1)})
    if (is_own(descriptor)) close(descriptor);
}

void JournalFile::give_up(const char* what) {
  tell(fmt::format("kernel coverage journal {}: {}: {}; a crash of this process would lose kernel coverage", path_,
                   what, std::strerror(errno)));
  given_up_ = true;
}

bool JournalFile::make() {
  std::error_code ignored;  // opening the file reports the error
  std::filesystem::create_directories(folder_, ignored);
  path_ = folder_ + "/" + report::kJournalPrefix + report::process_suffix().substr(1);
  do {
    unlocked_ = fmt::format("{}/{}{}.{}.journal", folder_, report::kUnfinishedPrefix, getpid(), report::random_word());
    file_ = ::open(unlocked_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file_ < 0 && errno == EEXIST);
  if (file_ < 0) return false;
  struct stat made = {};
  if (fstat(file_, &made) != 0) return false;
  device_ = made.st_dev;
  number_ = made.st_ino;
  // Readers take this lock to see whether the process lives; one of them may be this process itself. The lock has a
  // descriptor of its own, which the child of a fork closes.
  lock_ = ::open(unlocked_.c_str(), O_RDWR | O_CLOEXEC);
  reach_ = report::lock_for_life(lock_);
  return true;
}

report::LockReach JournalFile::open() {
  if (!given_up_ && file_ < 0 && !make()) give_up("cannot be made");
  return reach_;
}

void JournalFile::grow(size_t size) {
  if (given_up_) return;
  errno = 0;
  if (is_own(file_) && may_have(size_ + size))
    errno = posix_fallocate(file_, static_cast<off_t>(size_), static_cast<off_t>(size));
  if (errno == 0) {
    size_ += size;
    return;
  }
  give_up("cannot grow");
  if (size_ > 0) return;  // the records written so far count
  unlink(unlocked_.c_str());
  close_file();
}

void JournalFile::take_name() {
  if (given_up_) return;
  const std::string name = report::move_to_unused(unlocked_, path_);
  if (!name.empty()) {
    path_ = name;
    return;
  }
  give_up("cannot be made");
  unlink(unlocked_.c_str());
  close_file();
}

bool JournalFile::put(const uint64_t* cells, size_t size, size_t at) const {
  std::vector<uint64_t> now(size / sizeof *cells);
  for (size_t i = 0; i < now.size(); ++i) now[i] = __atomic_load_n(cells + i, __ATOMIC_RELAXED);
  const char* from = reinterpret_cast<const char*>(now.data());
  if (!may_have(at + size)) return false;
  for (size_t done = 0; done < size;) {
    const ssize_t n = pwrite(file_, from + done, size - done, static_cast<off_t>(at + done));
    if (n < 0 && errno != EINTR) return false;
    done += n > 0 ? static_cast<size_t>(n) : 0;
  }
  return true;
}

bool JournalFile::write(const uint64_t* cells, size_t size, size_t at) {
  if (given_up_ || file_ < 0) return true;
  struct stat before = {};
  if (!is_own(file_) || fstat(file_, &before) != 0 || !put(cells, size, at)) {
    give_up("cannot be written");
    return true;
  }
  return static_cast<size_t>(before.st_size) >= size_;
}

void JournalFile::leave_to_parent() {
  close_file();
  given_up_ = true;
}

void JournalFile::remove() {
  if (file_ < 0) return;  // only once: the next journal has the same name
  struct stat there = {};
  if (lstat(path_.c_str(), &there) == 0 && there.st_ino == number_ && there.st_dev == device_) unlink(path_.c_str());
  close_file();
  given_up_ = true;
}

}  // namespace qd::instrument
