// The launches of a stream that the driver has, until they are over.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/device/gpu/gpu_launch.h"

namespace qd::device::gpu {

/// Queue of launches. Thread-safe. A thread that waits takes in the results of finished launches, in their order.
class StreamWork {
 public:
  /// Makes the driver's stream. Throws CallFailed.
  StreamWork(std::shared_ptr<EventPool> events, uint64_t seed, std::chrono::nanoseconds limit);
  ~StreamWork();
  StreamWork(const StreamWork&) = delete;
  StreamWork& operator=(const StreamWork&) = delete;

  Gpu& gpu() const { return *gpu_; }
  Handle stream() const { return parts_.stream; }
  /// Enqueues a launch with the driver. If the host must wait in its midst, it does. Errors are in the launch's
  /// outcome. One thread at a time.
  void launch(const GpuExecutable& executable, const Invocation& invocation);
  /// An event behind all work that was enqueued; null: there was none, or the device is lost.
  std::shared_ptr<DriverEvent> last_event();
  /// Makes work that is enqueued from now on run behind the event. Throws CallFailed.
  void wait_behind(const DriverEvent& event);
  /// Waits for an event of this stream for at most this time, and takes in launches that are over. Returns whether all
  /// before the event is; it is, too, when the device is lost.
  bool wait_for(DriverEvent& event, std::chrono::milliseconds time);
  /// Waits for all work that was enqueued, and for announced launches.
  void wait();
  /// Announces a launch by another thread; and notes that it has come.
  void announce() { announced_.fetch_add(1); }
  void has_come() { announced_.fetch_sub(1); }
  /// Ends all launches when the device is lost; else does nothing.
  void settle();

  void end_early() { ends_early_.store(true); }
  bool ends_early() const { return ends_early_.load(); }

 private:
  using Clock = std::chrono::steady_clock;

  void make_streams(const GpuExecutable& executable);
  /// The host's wait in the midst of a launch: returns whether all of it that was enqueued is over.
  bool reach(GpuLaunch& launch);
  void note_over();
  void take_in_over();
  void look_after_launches();
  void stop(GpuLaunch& launch, LaunchOutcome::Status status, const std::string& error);
  void give_up();
  std::string timeout_error() const;

  const std::shared_ptr<Gpu> gpu_;
  const std::chrono::nanoseconds limit_;
  std::atomic<bool> ends_early_ = false;
  std::atomic<int> announced_ = 0;
  std::mutex enqueue_mutex_;  // guards the members below
  StreamParts parts_;
  std::shared_ptr<DriverEvent> last_;                // behind all work that was enqueued; null: there is none
  std::mutex mutex_;                                 // guards the members below
  std::deque<std::unique_ptr<GpuLaunch>> launches_;  // in their order; without the one in whose midst the host waits
  GpuLaunch* waited_for_ = nullptr;                  // that one
  StreamClock clock_;
  Clock::time_point stopped_at_ = {};
  std::atomic<Clock::time_point> progress_ = Clock::now();  // when the last one was over, or the oldest one began
};

}  // namespace qd::device::gpu
