// Poll of a launch while it lasts: asks the program whether it is to end.
#pragma once

namespace qd {

class LaunchPoll {
 public:
  virtual ~LaunchPoll() = default;
  /// Called about ten times a second while a launch lasts, by the thread that launched or waits. It may be called from
  /// a signal handler, between two instructions of the kernel; then that thread holds no locks except those that it
  /// held when it launched. May launch kernels. Must not throw. True: the launch, or the wait for it, ends with
  /// KernelInterrupted.
  virtual bool wants_end() = 0;
};

}  // namespace qd
