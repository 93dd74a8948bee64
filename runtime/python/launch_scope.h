// Calls of kernels that have begun and not ended: what they may use stays, and qd.sync waits for them. All of it with the GIL only.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/launch/program.h"

namespace qd::python {

/// One call, from before its arguments are looked at until its results are there. On the stack of the thread that calls.
class LaunchScope {
 public:
  LaunchScope();
  ~LaunchScope();
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

 private:
  friend struct LaunchesInFlight;
  LaunchScope* older_;
  LaunchScope* newer_ = nullptr;
  uint64_t number_;
  pthread_t thread_;
};

/// Lets go of an array: now, or when all calls that are in flight now have ended.
struct AfterLaunches {
  void operator()(Ndarray* array) const;
};

/// Waits until the calls of other threads have ended that are in flight now. Throws what a signal handler of Python raises meanwhile.
void wait_for_launches();

}  // namespace qd::python
