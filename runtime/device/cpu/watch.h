// Watchdog of a launch: tells its thread now and then to ask whether the launch is to end (LaunchPoll).
#pragma once

#include <atomic>
#include <cstdint>

namespace qd::device {

/// While a Watch exists, the thread that made it is interrupted now and then (see interrupt()), and due() becomes true.
/// Watches may be nested, and end in reverse order.
class Watch {
 public:
  Watch();
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Whether the thread that made the Watch is to ask now. After a true it is false for a while.
  static bool due();

  struct Thread;
  struct Watcher;

 private:
  static Thread& this_thread();

  Thread& thread_;
};

}  // namespace qd::device
