// Events of a GPU's driver: points in its streams. They are used again and again.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {

/// Pool of unused events of the driver. Thread-safe.
class EventPool {
 public:
  explicit EventPool(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  const std::shared_ptr<Gpu>& gpu() const { return gpu_; }
  /// Takes an event. `timed`: their times can be asked for. Throws CallFailed.
  Handle take(bool timed);
  void give_back(Handle event, bool timed);

 private:
  const std::shared_ptr<Gpu> gpu_;
  std::mutex mutex_;  // guards the members below
  std::vector<Handle> free_[2];
};

/// An event in a stream. Thread-safe.
class DriverEvent {
 public:
  /// Records the event. Throws CallFailed.
  DriverEvent(std::shared_ptr<EventPool> pool, Handle stream, bool timed = false);
  ~DriverEvent();
  DriverEvent(const DriverEvent&) = delete;
  DriverEvent& operator=(const DriverEvent&) = delete;

  Handle handle() const { return handle_; }
  /// Whether the stream has come to it. Throws CallFailed when the driver reports an error.
  bool over();
  /// Notes that the stream has come to it, because it has come to a later one.
  void note_over() { over_.store(true, std::memory_order_release); }

 private:
  const std::shared_ptr<EventPool> pool_;
  const bool timed_;
  Handle handle_;
  std::atomic<bool> over_ = false;
};

/// Makes work on the stream `later` from now on run behind the work on `earlier` so far. Throws CallFailed.
void order(Gpu& gpu, const std::shared_ptr<EventPool>& events, Handle earlier, Handle later);

}  // namespace qd::device::gpu
