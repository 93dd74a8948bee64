// Waits for an event: the thread spins for a moment, because the event often comes at once; then it sleeps.
#include "runtime/device/queue_event.h"

#include "runtime/device/host_threads.h"

namespace qd::device {

bool QueueEvent::wait_for(std::chrono::milliseconds time) {
  for (int i = 0; i < kSpins && time.count() > 0 && !over(); ++i) pause_cpu();
  if (over() || time.count() == 0) return over();
  std::unique_lock lock(mutex_);
  return reached_.wait_for(lock, time, [&] { return over(); });
}

void QueueEvent::reach() {
  {
    std::lock_guard lock(mutex_);
    over_.store(true, std::memory_order_release);
  }
  reached_.notify_all();
}

}  // namespace qd::device
