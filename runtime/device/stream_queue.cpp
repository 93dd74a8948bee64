// When there is no entry, the thread spins for a moment, because the next launch often follows at once; then it sleeps.
#include "runtime/device/stream_queue.h"

#include <utility>

namespace qd::device {

void StreamQueue::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_one();
  }
  thread_.join();
}

void StreamQueue::put(Entry entry) {
  const std::lock_guard lock(mutex_);
  entries_.push_back(std::move(entry));
  waiting_.store(true, std::memory_order_relaxed);
  if (sleeps_) changed_.notify_one();
}

std::shared_ptr<Event> StreamQueue::record() {
  auto event = std::make_shared<QueueEvent>();
  put({.reaches = event});
  return event;
}

void StreamQueue::wait(std::shared_ptr<Event> event) {
  auto after = std::static_pointer_cast<QueueEvent>(std::move(event));
  if (!after->over()) put({.after = std::move(after)});
}

void StreamQueue::take(Entries& taken, const std::function<bool(const Entries& taken, const Entry& next)>& fits) {
  taken.clear();
  for (int i = 0; i < kSpins && !waiting_.load(std::memory_order_relaxed); ++i) pause_cpu();
  std::unique_lock lock(mutex_);
  sleeps_ = true;
  changed_.wait(lock, [&] { return ended_ || !entries_.empty(); });
  sleeps_ = false;
  while (!entries_.empty() && (taken.empty() || fits(taken, entries_.front()))) {
    taken.push_back(std::move(entries_.front()));
    entries_.pop_front();
  }
  waiting_.store(!entries_.empty(), std::memory_order_relaxed);
}

}  // namespace qd::device
