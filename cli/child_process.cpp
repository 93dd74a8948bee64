// Child process: starts a program and waits for its end.
#include "cli/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>

extern char** environ;

namespace qd::cli {

namespace {

volatile sig_atomic_t running_child = 0;

void pass_on(int signal_number) {
  if (running_child > 0) kill(static_cast<pid_t>(running_child), signal_number);
}

/// Changes this process's reaction to signals while it lives.
class SignalsWhileWaiting {
 public:
  SignalsWhileWaiting() {
    for (size_t i = 0; i < kCount; ++i) {
      struct sigaction action{};
      action.sa_handler = i < 2 ? SIG_IGN : pass_on;
      sigaction(kSignals[i], &action, &before_[i]);
    }
  }
  ~SignalsWhileWaiting() {
    for (size_t i = 0; i < kCount; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  SignalsWhileWaiting(const SignalsWhileWaiting&) = delete;
  SignalsWhileWaiting& operator=(const SignalsWhileWaiting&) = delete;

  /// The signals that the child must not inherit as ignored. A signal that was ignored before stays so.
  sigset_t to_reset() const {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);  // main() ignores it for this process only
    for (size_t i = 0; i < kCount; ++i)
      if (before_[i].sa_handler != SIG_IGN) sigaddset(&set, kSignals[i]);
    return set;
  }

 private:
  static constexpr size_t kCount = 4;
  static constexpr int kSignals[kCount] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  struct sigaction before_[kCount];
};

std::vector<std::string> environment_with(const EnvironmentChanges& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    if (!changes.count(std::string(text.substr(0, text.find('='))))) result.emplace_back(text);
  }
  for (const auto& [name, value] : changes)
    if (value) result.push_back(name + "=" + *value);
  return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Grace period, in ms, for processes that the program leaves behind to write their last data.
constexpr int kMostMilliseconds = 2000;

/// Waits until the orphans of the program, which become our children, have ended. Does not wait for daemons.
void wait_for_descendants() {
  for (int waited = 0; waited < kMostMilliseconds; waited += 5) {
    pid_t ended = waitpid(-1, nullptr, WNOHANG);
    if (ended < 0 && errno != EINTR) return;  // no child is left
    if (ended == 0) usleep(5000);
  }
}

/// Blocks signals for as long as it lives; they are fetched with sigwaitinfo instead, so none is missed.
class BlockedSignals {
 public:
  explicit BlockedSignals(const std::optional<SaveSignal>& save_signal) {
    sigemptyset(&signals);
    if (save_signal) {
      sigaddset(&signals, SIGCHLD);
      sigaddset(&signals, save_signal->number);
    }
    sigprocmask(SIG_BLOCK, &signals, &before);
  }
  ~BlockedSignals() { sigprocmask(SIG_SETMASK, &before, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  sigset_t signals, before;
};

/// Waits for the end of `child`; returns its status.
int wait_for(pid_t child, const std::optional<SaveSignal>& save_signal, const sigset_t& signals) {
  int status = 0;
  while (save_signal) {
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    siginfo_t info;
    if (sigwaitinfo(&signals, &info) != save_signal->number) continue;
    if (info.si_pid == child)
      save_signal->save();
    else
      kill(child, save_signal->number);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

int run_program(const std::vector<std::string>& command, const EnvironmentChanges& changes, Output output,
                const std::optional<SaveSignal>& save_signal) {
  std::vector<std::string> words = command, variables = environment_with(changes);
  std::fflush(stdout);

  prctl(PR_SET_CHILD_SUBREAPER, 1);
  SignalsWhileWaiting signals;
  BlockedSignals blocked(save_signal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t reset = signals.to_reset();
  posix_spawnattr_setsigdefault(&attributes, &reset);
  posix_spawnattr_setsigmask(&attributes, &blocked.before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  posix_spawn_file_actions_t redirections;
  posix_spawn_file_actions_init(&redirections);
  if (output == Output::kDropped)
    for (int descriptor : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&redirections, descriptor, "/dev/null", O_WRONLY, 0);
  int error = posix_spawnp(&child, words[0].c_str(), &redirections, &attributes, pointers_to(words).data(),
                           pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&redirections);
  posix_spawnattr_destroy(&attributes);
  if (error) throw std::runtime_error(fmt::format("Couldn't run '{}': {}", words[0], std::strerror(error)));

  running_child = child;
  int status = wait_for(child, save_signal, blocked.signals);
  running_child = 0;
  wait_for_descendants();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::optional<std::string> find_program(const std::string& name) {
  auto is_program = [](const std::string& path) {
    return access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path);
  };
  if (name.find('/') != std::string::npos) return is_program(name) ? std::optional(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (true) {
    size_t colon = rest.find(':');
    std::string folder(rest.substr(0, colon));
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(candidate)) return candidate;
    if (colon == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(colon + 1);
  }
}

}  // namespace qd::cli
