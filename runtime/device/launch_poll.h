// Launches that last: who may want one to end.
#pragma once

namespace qd {

class LaunchPoll {
 public:
  virtual ~LaunchPoll() = default;
  /// Called about ten times a second while a launch lasts, by the thread that launched or waits: perhaps in a signal
  /// handler, between two instructions of the kernel, where that thread holds no lock but those that it held when it
  /// launched. May launch kernels. True: the launch, or the wait for it, ends with KernelInterrupted. Must not throw.
  virtual bool wants_end() = 0;
};

}  // namespace qd
