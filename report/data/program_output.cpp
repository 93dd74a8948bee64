// Program output: a process started with posix_spawn; both of its outputs are read.
#include "report/data/program_output.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

extern char** environ;

namespace qd::report {

namespace {

StartError start_error(int error) {
  StartError result(std::strerror(error));
  result.not_found = error == ENOENT;
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

struct Pipe {
  int read = -1;
  int write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw start_error(errno);
    read = ends[0];
    write = ends[1];
  }
  Pipe(const Pipe&) = delete;
  ~Pipe() {
    if (read >= 0) close(read);
    close_write();
  }
  void close_write() {
    if (write >= 0) close(std::exchange(write, -1));
  }
};

/// A text in a file, so that a child can read it at any time. With a pipe, both processes could wait for each other.
struct InputText {
  int fd = -1;
  explicit InputText(const std::string& text) {
    if (text.empty()) return;
    fd = memfd_create("input", MFD_CLOEXEC);
    if (fd < 0) throw start_error(errno);
    for (size_t at = 0; at < text.size();) {
      ssize_t n = ::write(fd, text.data() + at, text.size() - at);
      if (n < 0 && errno != EINTR) {
        const int error = errno;
        close(fd);
        throw start_error(error);
      }
      if (n > 0) at += static_cast<size_t>(n);
    }
    lseek(fd, 0, SEEK_SET);
  }
  InputText(const InputText&) = delete;
  ~InputText() {
    if (fd >= 0) close(fd);
  }
};

// Reads both pipes at once: a child that fills one pipe while we wait for the other would never end.
void read_both(int out_fd, std::string& out, int err_fd, std::string& err) {
  std::array<pollfd, 2> fds = {pollfd{out_fd, POLLIN, 0}, pollfd{err_fd, POLLIN, 0}};
  std::array<std::string*, 2> texts = {&out, &err};
  std::vector<char> buffer(1 << 16);
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    if (poll(fds.data(), fds.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    for (size_t i = 0; i < fds.size(); ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      ssize_t n = read(fds[i].fd, buffer.data(), buffer.size());
      if (n > 0) {
        texts[i]->append(buffer.data(), static_cast<size_t>(n));
      } else if (n == 0 || errno != EINTR) {
        fds[i].fd = -1;
      }
    }
  }
}

}  // namespace

ProgramOutput program_output(std::vector<std::string> words, const std::string& input,
                             std::vector<std::string> environment) {
  Pipe out;
  Pipe err;
  InputText input_text(input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input_text.fd >= 0)
    posix_spawn_file_actions_adddup2(&actions, input_text.fd, 0);
  else
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  pid_t pid = 0;
  int status =
      posix_spawnp(&pid, words[0].c_str(), &actions, nullptr, pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) throw start_error(status);

  out.close_write();
  err.close_write();
  ProgramOutput result;
  read_both(out.read, result.out, err.read, result.err);
  int wait_status = 0;
  while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
  return result;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) result.emplace_back(*entry);
  return result;
}

}  // namespace qd::report
