#include "runtime/device/gpu/driver_event.h"

#include <utility>

namespace qd::device::gpu {

EventPool::~EventPool() {
  if (!gpu_->usable()) return;
  const Gpu::Current current(*gpu_, std::nothrow);
  for (const auto& events : free_) {
    for (Handle event : events) gpu_->driver().event_destroy(event);
  }
}

Handle EventPool::take(bool timed) {
  {
    const std::lock_guard lock(mutex_);
    if (!free_[timed].empty()) {
      Handle event = free_[timed].back();
      free_[timed].pop_back();
      return event;
    }
  }
  const Gpu::Current current(*gpu_);
  Handle event = nullptr;
  gpu_->require("event_create", gpu_->driver().event_create(&event, timed ? 0 : kEventWithoutTime));
  return event;
}

void EventPool::give_back(Handle event, bool timed) {
  const std::lock_guard lock(mutex_);
  free_[timed].push_back(event);
}

DriverEvent::DriverEvent(std::shared_ptr<EventPool> pool, Handle stream, bool timed)
    : pool_(std::move(pool)), timed_(timed), handle_(pool_->take(timed)) {
  Gpu& gpu = *pool_->gpu();
  try {
    const Gpu::Current current(gpu);
    gpu.require("event_record", gpu.driver().event_record(handle_, stream));
  } catch (...) {
    pool_->give_back(handle_, timed_);
    throw;
  }
}

DriverEvent::~DriverEvent() { pool_->give_back(handle_, timed_); }

bool DriverEvent::over() {
  if (over_.load(std::memory_order_acquire)) return true;
  Gpu& gpu = *pool_->gpu();
  const Gpu::Current current(gpu);
  const Result result = gpu.driver().event_query(handle_);
  if (result == kNotReady) return false;
  gpu.require("event_query", result);
  over_.store(true, std::memory_order_release);
  return true;
}

void order(Gpu& gpu, const std::shared_ptr<EventPool>& events, Handle earlier, Handle later) {
  const DriverEvent reached(events, earlier);
  gpu.require("stream_wait", gpu.driver().stream_wait(later, reached.handle(), 0));
}

}  // namespace qd::device::gpu
