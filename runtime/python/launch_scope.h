// Calls of kernels that have begun and not ended: what they may use stays, and qd.sync waits for them. All of it with
// the GIL only.
#pragma once

#include <nanobind/nanobind.h>
#include <pthread.h>

#include <cstdint>
#include <optional>

#include "runtime/launch/program.h"

namespace qd::python {

/// One call, from before its arguments are looked at until its results are there. On the stack of the thread that
/// calls.
class LaunchScope {
 public:
  LaunchScope();
  ~LaunchScope();
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

  /// What Python raised on this thread in the middle of a call, in a function that cannot: the innermost call raises it
  /// when it is over.
  static void raise_later(nanobind::python_error error);
  /// Throws what was to be raised later.
  void raise();

 private:
  friend struct LaunchesInFlight;
  LaunchScope* older_;
  LaunchScope* newer_ = nullptr;
  uint64_t number_;
  pthread_t thread_;
  std::optional<nanobind::python_error> error_;
};

/// Lets go of an array: now, or when all calls that are in flight now have ended.
struct AfterLaunches {
  void operator()(Ndarray* array) const;
};

/// Waits until the calls of other threads have ended that are in flight now. Throws what a signal handler of Python
/// raises meanwhile.
void wait_for_launches();

}  // namespace qd::python
