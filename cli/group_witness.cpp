#include "cli/group_witness.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

namespace qd::cli {

namespace {

/// The signals sent to a process that it has not fetched, as bits; none if there is no such process.
uint64_t pending_signals(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  constexpr std::string_view kKey = "ShdPnd:\t";
  uint64_t bits = 0;
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(kKey)) std::from_chars(line.data() + kKey.size(), line.data() + line.size(), bits, 16);
  return bits;
}

}  // namespace

bool GroupWitness::shares(const siginfo_t& signal) {
  if (signal.si_code > 0) return signal.si_code == SI_KERNEL;  // of the terminal
  // The kernel may be amid the processes of the group.
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (!(pending_signals(process_) >> (signal.si_signo - 1) & 1)) return false;
  end();
  start();
  return true;
}

void GroupWitness::start() {
  const pid_t owner = getpid();
  process_ = fork();
  if (process_ != 0) return;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (getppid() == owner) pause();
  _exit(0);
}

void GroupWitness::end() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace qd::cli
