// Launches that last: whether they are to end is asked now and then, on the thread that made them.
#pragma once

#include <atomic>
#include <cstdint>

namespace qd {

/// Who may want a launch to end.
class LaunchPoll {
 public:
  virtual ~LaunchPoll() = default;
  /// Called about ten times a second while a launch lasts, by the thread that launched: perhaps in a signal handler, between two instructions of the kernel, where that
  /// thread holds no lock but those that it held when it launched. May launch kernels. True: the launch ends with KernelInterrupted. Must not throw.
  virtual bool wants_end() = 0;
};

/// From construction on the calling thread is interrupted now and then (device::interrupt) and told that it is time to ask. May be nested; in the order of a stack.
class Watch {
 public:
  Watch();
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Whether it is time to ask, on the thread that made this; then not again for a while.
  static bool due();

  struct Thread;
  struct Watcher;

 private:
  static Thread& this_thread();

  Thread& thread_;
};

}  // namespace qd
