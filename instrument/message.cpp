#include "instrument/message.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

namespace qd::instrument {

void tell(const std::string& text) {
  const std::string line = "qd: " + text + "\n";
  sigset_t raised, before, pending;
  sigemptyset(&raised);
  sigaddset(&raised, SIGXFSZ);
  sigaddset(&raised, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &raised, &before);
  sigpending(&pending);
  const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  // The write raises a signal for this thread. One that was pending before stays.
  for (const int signal : {SIGXFSZ, SIGPIPE}) {
    if (sigismember(&pending, signal)) sigdelset(&raised, signal);
  }
  const timespec at_once{};
  if (written < static_cast<ssize_t>(line.size())) sigtimedwait(&raised, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace qd::instrument
