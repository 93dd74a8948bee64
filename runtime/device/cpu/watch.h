// Launches that last: the thread that made one hears now and then that it is time to ask whether it is to end
// (LaunchPoll).
#pragma once

#include <atomic>
#include <cstdint>

namespace qd::device {

/// From construction on the calling thread is interrupted now and then (interrupt) and told that it is time to ask. May
/// be nested; in the order of a stack.
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

}  // namespace qd::device
