// Signal poll: runs Python's signal handlers while the main thread is in a kernel. An exception in a handler ends the
// launch.
#pragma once

#include <pthread.h>

#include "runtime/device/launch_poll.h"

namespace qd::python {

class SignalPoll : public LaunchPoll {
 public:
  /// The poll for a launch of the calling thread; null if Python runs no signal handlers on it. Needs the GIL.
  static SignalPoll* of_this_thread() { return pthread_equal(pthread_self(), main_thread_) ? &instance_ : nullptr; }
  /// Called once, when the module is loaded.
  static void find_main_thread();
  /// Throws the exception of the handler, after KernelInterrupted. Needs the GIL.
  [[noreturn]] static void raise();

  bool wants_end() override;

 private:
  static SignalPoll instance_;
  static pthread_t main_thread_;  // Python's main thread; after a fork it is the one that forked
};

}  // namespace qd::python
