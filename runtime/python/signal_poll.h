// Signals that arrive while the main thread is in a kernel: Python's handlers run, and what they raise ends the launch.
#pragma once

#include "runtime/launch/watch.h"

namespace qd::python {

class SignalPoll : public LaunchPoll {
 public:
  /// For a launch of the calling thread; null where Python runs no signal handlers. With the GIL.
  static SignalPoll* of_this_thread();
  /// After KernelInterrupted: throws what the handler has raised. With the GIL.
  [[noreturn]] static void raise();

  bool wants_end() override;
};

}  // namespace qd::python
