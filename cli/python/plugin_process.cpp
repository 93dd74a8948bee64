// Plugin process: sends and reads lines of JSON over a socket, which is the standard input and output of the process.
#include "cli/python/plugin_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/standard_streams.h"

namespace qd::cli {

namespace {

constexpr const char* kAskPlugins =
#include "ask_plugins.inc"
    ;

}  // namespace

PluginProcess::PluginProcess(const std::string& python) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error(fmt::format("Couldn't run '{}': {}", python, std::strerror(errno)));
  // If a standard stream is closed, a new descriptor would get its number.
  for (int& end : ends)
    if (end <= STDERR_FILENO) {
      int higher = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      close(end);
      end = higher;
    }
  const char* arguments[] = {python.c_str(), "-c", kAskPlugins, nullptr};
  flush_quietly();
  std::fflush(stderr);
  pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    dup2(ends[1], STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    signal(SIGXFSZ, SIG_DFL);  // main() ignores it for this process only
    execvp(arguments[0], const_cast<char* const*>(arguments));
    _exit(127);
  }
  close(ends[1]);
  socket_ = ends[0];
  if (process_ < 0) throw std::runtime_error(fmt::format("Couldn't run '{}': {}", python, std::strerror(errno)));
}

PluginProcess::~PluginProcess() {
  close(socket_);
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void PluginProcess::fail() {
  if (process_ <= 0)
    throw std::runtime_error(
        "The Python process with the plugins of coverage.py has ended");  // a later question: kill(0) would end the
                                                                          // whole group
  int status = 0;
  kill(process_, SIGKILL);  // the process may have closed only the socket; if it has ended, it keeps its exit code
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  std::string how = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                        : fmt::format("exit code {}", WEXITSTATUS(status));
  throw std::runtime_error(
      fmt::format("The Python process with the plugins of coverage.py ended before it answered ({})", how));
}

void PluginProcess::send(const std::string& text) {
  for (size_t sent = 0; sent < text.size();) {
    ssize_t n = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail();
    sent += static_cast<size_t>(n);
  }
}

std::string PluginProcess::read_line() {
  for (size_t searched = 0;;) {
    if (size_t end = unread_.find('\n', searched); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    searched = unread_.size();
    char buffer[1 << 16];
    ssize_t n = read(socket_, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail();
    unread_.append(buffer, static_cast<size_t>(n));
  }
}

nlohmann::json PluginProcess::ask(const nlohmann::json& question) {
  send(question.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
  nlohmann::json answer = nlohmann::json::parse(read_line(), nullptr, false);
  if (!answer.is_object()) fail();
  return answer;
}

}  // namespace qd::cli
