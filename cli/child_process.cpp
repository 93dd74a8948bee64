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

#include "cli/group_witness.h"

extern char** environ;

namespace qd::cli {

namespace {

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

/// Signals that end a process by default, of which the program may make something else, such as a dump of its stack.
constexpr int kPassedOn[] = {SIGINT,  SIGQUIT, SIGTERM,   SIGHUP, SIGUSR1, SIGUSR2,
                             SIGALRM, SIGPROF, SIGVTALRM, SIGIO,  SIGPWR};

/// Blocks signals for as long as it lives; they are fetched with sigwaitinfo instead, so none is missed. A signal that
/// was ignored before stays so, for the program, too.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    signal_of_children_ = signal(SIGCHLD, SIG_DFL);  // ignored, it would take the exit codes away
    for (int number : kPassedOn) add(number);
    for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) add(number);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
  }
  ~BlockedSignals() {
    // Those that came last were for the program as well.
    const timespec now{};
    while (sigtimedwait(&signals, nullptr, &now) > 0) {
    }
    signal(SIGCHLD, signal_of_children_);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  sigset_t signals, before;

 private:
  void add(int number) {
    struct sigaction action{};
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&signals, number);
  }

  sighandler_t signal_of_children_;
};

/// Waits for the end of `child`, and passes signals on to it that it has not got itself: a program that gets Ctrl-C
/// twice may give up what it saves at the first. Returns its status.
int wait_for(pid_t child, const std::optional<SaveSignal>& save_signal, const sigset_t& signals,
             GroupWitness& witness) {
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    siginfo_t info;
    const int number = sigwaitinfo(&signals, &info);
    if (number < 0 || number == SIGCHLD) continue;
    const bool from_child = info.si_code <= 0 && info.si_pid == child;
    if (from_child && save_signal && number == save_signal->number) save_signal->save();
    if (from_child || witness.shares(info)) continue;
    kill(child, number);
  }
}

}  // namespace

int run_program(const std::vector<std::string>& command, const EnvironmentChanges& changes, Output output,
                const std::optional<SaveSignal>& save_signal) {
  std::vector<std::string> words = command, variables = environment_with(changes);
  std::fflush(stdout);

  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const BlockedSignals blocked;
  std::optional<GroupWitness> witness(std::in_place);  // before the program, which could get a signal first
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t reset;
  sigemptyset(&reset);
  sigaddset(&reset, SIGXFSZ);  // main() ignores it for this process only
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

  const int status = wait_for(child, save_signal, blocked.signals, *witness);
  witness.reset();
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
