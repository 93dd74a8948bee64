// Late writers: programs that still write to a file that is no longer the data file.
#include "report/data/data_file_check.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace qd::report {

namespace {

/// State of writers: whether any process has the file open for writing. A read lease is granted only if none has; it is
/// given back at once.
enum class Writers { None, Some, Unknown };
Writers writers_of(int file) {
  if (fcntl(file, F_SETLEASE, F_RDLCK) == 0) {
    fcntl(file, F_SETLEASE, F_UNLCK);
    return Writers::None;
  }
  return errno == EAGAIN ? Writers::Some : Writers::Unknown;
}

/// Whether a process holds any of SQLite's locks, https://www.sqlite.org/src/file/src/os.h
bool is_locked(int file) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0x40000000;
  lock.l_len = 512;
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace

void wait_for_late_writers(const std::string& path) {
  using namespace std::chrono_literals;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return;
  // SIGIO is sent when a program opens the file while there is a lease; its default action would end this process.
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGIO, &ignore, &before);
  const auto start = std::chrono::steady_clock::now();
  auto idle_since = start;
  while (writers_of(file) == Writers::Some) {
    const auto now = std::chrono::steady_clock::now();
    if (is_locked(file)) idle_since = now;
    if (now - idle_since > 2s || now - start > 30s) break;
    std::this_thread::sleep_for(2ms);
  }
  sigaction(SIGIO, &before, nullptr);
  close(file);
}

}  // namespace qd::report
