// git process: started with posix_spawn; both of its outputs are read.
#include "report/diff/git.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

extern char** environ;

namespace qd::report {
namespace {

// Variables that change the output of a diff, its destination, the meaning of paths, or objects.
constexpr std::array<std::string_view, 15> kDropped = {
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_TRACE",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_ATTR_SOURCE",
    "LC_ALL",
    "LANGUAGE",
};

// Variables with paths that git resolves against its own working folder, which is another one than ours. (It resolves
// GIT_INDEX_FILE against the top of the working tree.)
constexpr std::array<std::string_view, 5> kPaths = {"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR",
                                                    "GIT_OBJECT_DIRECTORY", "GIT_SHALLOW_FILE"};

std::string_view variable_name(std::string_view variable) { return variable.substr(0, variable.find('=')); }

std::vector<std::string> git_environment(const std::vector<std::string>& more) {
  std::vector<std::string> result = {"LC_ALL=C",
                                     "LANGUAGE=",
                                     "GIT_OPTIONAL_LOCKS=0",
                                     "GIT_TERMINAL_PROMPT=0",
                                     "GIT_NO_REPLACE_OBJECTS=1",
                                     "GIT_GRAFT_FILE=/dev/null"};
  for (const std::string& variable : more)
    if (variable.find('=') != std::string::npos) result.push_back(variable);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view variable = *entry, name = variable_name(variable);
    bool dropped = std::find(kDropped.begin(), kDropped.end(), name) != kDropped.end();
    for (const std::string& other : more) dropped = dropped || variable_name(other) == name;
    if (dropped) continue;
    std::string_view value = variable.substr(std::min(variable.size(), name.size() + 1));
    bool is_relative =
        !value.empty() && !value.starts_with('/') && std::find(kPaths.begin(), kPaths.end(), name) != kPaths.end();
    if (is_relative)
      result.push_back(fmt::format("{}={}", name, std::filesystem::absolute(value).string()));
    else
      result.emplace_back(variable);
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

/// A text in a file, so that a child can read it at any time. With a pipe, both processes could wait for each other.
struct InputText {
  int fd = -1;
  explicit InputText(const std::string& text) {
    if (text.empty()) return;
    fd = memfd_create("git-input", MFD_CLOEXEC);
    if (fd < 0) throw GitError(fmt::format("Can't run git: {}", std::strerror(errno)));
    for (size_t at = 0; at < text.size();) {
      ssize_t n = ::write(fd, text.data() + at, text.size() - at);
      if (n < 0 && errno != EINTR) {
        close(fd);
        throw GitError(fmt::format("Can't run git: {}", std::strerror(errno)));
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

std::string GitOutput::first_error() const {
  std::string line = err.substr(0, err.find('\n'));
  for (std::string_view prefix : {"fatal: ", "error: "})
    if (line.starts_with(prefix)) line.erase(0, prefix.size());
  return line;
}

GitOutput run_git(const std::string& folder, const std::vector<std::string>& args, const std::string& input,
                  const std::vector<std::string>& environment) {
  std::vector<std::string> argv_strings = {"git", "-C", folder, "--no-pager", "-c", "advice.graftFileDeprecated=false"};
  argv_strings.insert(argv_strings.end(), args.begin(), args.end());
  std::vector<std::string> env_strings = git_environment(environment);
  std::vector<char*> argv = pointers(argv_strings);
  std::vector<char*> env = pointers(env_strings);

  Pipe out;
  Pipe err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  InputText input_text(input);
  if (input_text.fd >= 0)
    posix_spawn_file_actions_adddup2(&actions, input_text.fd, 0);
  else
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  pid_t pid = 0;
  int status = posix_spawnp(&pid, "git", &actions, nullptr, argv.data(), env.data());
  posix_spawn_file_actions_destroy(&actions);
  if (status == ENOENT)
    throw GitError("git is not installed, or not on the PATH: it is what tells which lines changed.");
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

std::vector<std::string> split_nul(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\0', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::vector<std::optional<std::string>> read_blobs(const std::string& folder, const std::vector<std::string>& ids) {
  std::vector<std::optional<std::string>> blobs(ids.size());
  if (ids.empty()) return blobs;
  std::string input;
  for (const std::string& id : ids) input += id + '\n';
  GitOutput answer = run_git(folder, {"cat-file", "--batch"}, input);
  if (answer.exit_code != 0) throw GitError(fmt::format("git can't read its objects: {}", answer.first_error()));
  // Format: "ID TYPE SIZE\n", the content and '\n' for each; "ID missing\n" for an unknown id.
  std::string_view rest = answer.out;
  for (size_t i = 0; i < ids.size() && !rest.empty(); ++i) {
    size_t end = rest.find('\n');
    std::string_view head = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    size_t blank = head.rfind(' ');
    size_t size = 0;
    if (blank == std::string_view::npos ||
        std::from_chars(head.data() + blank + 1, head.data() + head.size(), size).ec != std::errc())
      continue;
    if (size > rest.size()) break;
    if (head.substr(0, blank).ends_with(" blob")) blobs[i] = rest.substr(0, size);
    rest.remove_prefix(std::min(rest.size(), size + 1));
  }
  return blobs;
}

}  // namespace qd::report
