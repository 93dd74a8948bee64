// Signals and forks, for threads that run kernels.
#include "runtime/device/host_threads.h"

#include <pthread.h>

#include <atomic>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace qd::device {
namespace {

std::atomic<uint64_t> forks = 0;
[[maybe_unused]] const int counts_forks = pthread_atfork(nullptr, nullptr, [] { ++forks; });

}  // namespace

SignalsBlocked::SignalsBlocked() {
  sigset_t most;
  sigfillset(&most);
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF, SIGURG})
    sigdelset(&most, number);
  pthread_sigmask(SIG_BLOCK, &most, &before_);
}

SignalsBlocked::~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::thread start_stream_thread(std::function<void()> work) {
  const SignalsBlocked blocked;
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    throw std::runtime_error("the thread of a stream could not be started: " + error.code().message());
  }
}

uint64_t fork_count() { return forks.load(std::memory_order_relaxed); }

}  // namespace qd::device
