// What threads of ours have in common that run kernels: which signals they leave to others, how they wait for a moment,
// and what a fork means for them.
#pragma once

#include <signal.h>

#include <cstdint>

namespace qd::device {

/// How often a thread looks at an atomic before it sleeps; some 10 µs.
inline constexpr int kSpins = 400;

inline void pause_cpu() { __builtin_ia32_pause(); }

/// Blocks signals while our threads are made, so that the program's own threads handle them. Signals that stop a thread
/// where it is (faults, and interruptions by us) are not blocked.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// How many forks led to this process. Threads that were made at another count do not exist in it.
uint64_t fork_count();

}  // namespace qd::device
