// Starts git with posix_spawn and reads both of its outputs.
#include "report/diff/git.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

extern char** environ;

namespace qd::report {
namespace {

// Variables that change what a diff prints, where it stands, or which files a path means.
constexpr std::array<std::string_view, 11> kDropped = {
    "GIT_EXTERNAL_DIFF=",      "GIT_DIFF_OPTS=",    "GIT_LITERAL_PATHSPECS=", "GIT_GLOB_PATHSPECS=",
    "GIT_NOGLOB_PATHSPECS=",   "GIT_ICASE_PATHSPECS=", "GIT_TRACE=",          "GIT_OPTIONAL_LOCKS=",
    "GIT_TERMINAL_PROMPT=",    "LC_ALL=",           "LANGUAGE=",
};

std::vector<std::string> git_environment() {
  std::vector<std::string> result = {"LC_ALL=C", "LANGUAGE=", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view variable = *entry;
    bool dropped = false;
    for (std::string_view name : kDropped) dropped = dropped || variable.substr(0, name.size()) == name;
    if (!dropped) result.emplace_back(variable);
  }
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
    if (pipe2(ends, O_CLOEXEC) != 0) throw GitError(fmt::format("Can't run git: {}", std::strerror(errno)));
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

// Both at once: a child that fills one pipe while we wait for the other would never end.
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

std::string GitOutput::first_error() const {
  std::string line = err.substr(0, err.find('\n'));
  for (std::string_view prefix : {"fatal: ", "error: "})
    if (line.starts_with(prefix)) line.erase(0, prefix.size());
  return line;
}

GitOutput run_git(const std::string& folder, const std::vector<std::string>& args) {
  std::vector<std::string> argv_strings = {"git", "-C", folder, "--no-pager"};
  argv_strings.insert(argv_strings.end(), args.begin(), args.end());
  std::vector<std::string> env_strings = git_environment();
  std::vector<char*> argv = pointers(argv_strings);
  std::vector<char*> env = pointers(env_strings);

  Pipe out;
  Pipe err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  pid_t pid = 0;
  int status = posix_spawnp(&pid, "git", &actions, nullptr, argv.data(), env.data());
  posix_spawn_file_actions_destroy(&actions);
  if (status == ENOENT) throw GitError("git is not installed, or not on the PATH: it is what tells which lines changed.");
  if (status != 0) throw GitError(fmt::format("Can't run git: {}", std::strerror(status)));

  out.close_write();
  err.close_write();
  GitOutput result;
  read_both(out.read, result.out, err.read, result.err);
  int wait_status = 0;
  while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
  return result;
}

}  // namespace qd::report
