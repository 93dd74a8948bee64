// Standard streams. Closed ones are replaced by descriptors that reject writing.
#include "cli/standard_streams.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace qd::cli {

namespace {

int first_error = 0;  // of standard output

}  // namespace

OutputError::OutputError(int error)
    : std::runtime_error(fmt::format("Couldn't write to standard output: {}", std::strerror(error))) {}

void keep_closed_streams_closed() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() returns the lowest free number, which is this one. The mode is the opposite, so that each use of it fails.
    const int file = open("/dev/null", (stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    if (file > STDERR_FILENO) close(file);
  }
}

void flush_quietly() noexcept {
  if (std::fflush(stdout) != 0 && first_error == 0) first_error = errno;
}

void flush_output() {
  flush_quietly();
  if (first_error == 0 && std::ferror(stdout) != 0) first_error = EIO;
  if (first_error != 0) throw OutputError(first_error);
}

void tell(const std::string& line) noexcept {
  flush_quietly();
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fputc('\n', stderr);
}

void show_error(const std::string& line) noexcept {
  if (std::ferror(stdout) == 0 && std::fwrite(line.data(), 1, line.size(), stdout) == line.size() &&
      std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0)
    return;
  tell(line);
}

}  // namespace qd::cli
