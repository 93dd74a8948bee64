// Runs Python's signal handlers while the main thread is in a kernel. What a handler raises ends the launch.
#pragma once

#include <pthread.h>

#include "runtime/device/launch_poll.h"

namespace qd::python {

class SignalPoll : public LaunchPoll {
 public:
  /// The poll for a launch of the calling thread; null where Python runs no signal handlers. Needs the GIL.
  static SignalPoll* of_this_thread() { return pthread_equal(pthread_self(), main_thread_) ? &instance_ : nullptr; }
  /// Called once, when the module is loaded.
  static void find_main_thread();
  /// Called after KernelInterrupted: throws what the handler has raised. Needs the GIL.
  [[noreturn]] static void raise();

  bool wants_end() override;

 private:
  static SignalPoll instance_;
  static pthread_t main_thread_;  // as Python sees it; after a fork it is the one that forked
};

}  // namespace qd::python
