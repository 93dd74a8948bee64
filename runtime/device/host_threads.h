// Rules for our own threads that run kernels: signals that they leave to the program, short waits on atomics, and the
// effect of forks on them.
#pragma once

#include <signal.h>

#include <cstdint>
#include <functional>
#include <thread>

namespace qd::device {

/// Number of reads of an atomic before a thread sleeps: some 10 us.
inline constexpr int kSpins = 400;

inline void pause_cpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");  // "yield" does nothing on most processors
#endif
}

/// Blocks signals while our threads are made, so that the program's own threads handle them. Signals that stop a thread
/// at its present place (faults, and interruptions by us) are not blocked.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// Starts the thread of a stream, with signals blocked. Throws std::runtime_error when that is not possible.
std::thread start_stream_thread(std::function<void()> work);

/// Number of forks that led to this process. Threads that were made at another count do not exist in it.
uint64_t fork_count();

}  // namespace qd::device
