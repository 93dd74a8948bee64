// Launches in flight: the calls of kernels that have begun and not ended. Objects that they may use stay alive, and
// qd.sync waits for them. All functions need the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <pthread.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/launch/program.h"

namespace qd::python {

/// Scope of one call, from before its arguments are read until its results are there. It is on the stack of the calling
/// thread.
class LaunchScope {
 public:
  LaunchScope();
  ~LaunchScope();
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

  /// Keeps an error that Python raised on this thread in the middle of a call, in a function that cannot raise. The
  /// innermost call raises it when the call is over.
  static void raise_later(nanobind::python_error error);
  /// Throws the error that raise_later() has kept, if there is one.
  void raise();

 private:
  friend struct LaunchesInFlight;
  LaunchScope* older_;
  LaunchScope* newer_ = nullptr;
  uint64_t number_;
  pthread_t thread_;
  std::optional<nanobind::python_error> error_;
};

/// Releases an object that launches use: at once, or when all calls that are in flight now have ended.
void let_go_after_launches(std::shared_ptr<const void> thing);

/// Deleter that releases an array so.
struct AfterLaunches {
  void operator()(Ndarray* array) const;
};
/// Deleter that releases a field so.
struct ReleaseField {
  std::shared_ptr<Program> program;
  void operator()(const Field* field) const;
};
/// Number of arrays and fields that these have released so far.
uint64_t arrays_ended();

/// Waits until the calls of other threads that are in flight now have ended. Throws the exception of a signal handler
/// of Python that runs meanwhile.
void wait_for_launches();

}  // namespace qd::python
