// Events of streams that have a thread of their own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "runtime/device/device.h"

namespace qd::device {

/// A point in a stream, which the stream's thread reaches. Thread-safe.
class QueueEvent : public Event {
 public:
  explicit QueueEvent(bool over = false) : over_(over) {}

  bool wait_for(std::chrono::milliseconds time) override;
  bool over() const { return over_.load(std::memory_order_acquire); }
  void reach();

 private:
  std::atomic<bool> over_;
  std::mutex mutex_;
  std::condition_variable reached_;
};

/// Poll interval of a stream's thread that waits for an event of another stream: it then checks whether the stream is
/// to end early.
inline constexpr std::chrono::milliseconds kBetweenEndLooks{50};

}  // namespace qd::device
