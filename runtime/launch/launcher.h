// Launcher: runs launches on the streams of a program's device: launches in place, and launches that go on after the
// call.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/launch/code.h"
#include "runtime/launch/launch_stream.h"
#include "runtime/launch/profiler.h"

namespace qd {

/// Launcher of a program. Thread-safe. On a stream that runs in place, no launch is ever in flight.
class Launcher {
 public:
  explicit Launcher(std::shared_ptr<device::Device> device);

  /// The device lives as long as code for it, which may be compiled in the background after its program has ended.
  const std::shared_ptr<device::Device>& device() const { return device_; }
  const std::shared_ptr<LaunchStream>& default_stream() const { return default_stream_; }
  /// Makes a stream. It is destroyed when it has no owner any more, and its launches have been taken in. Throws
  /// KernelRuntimeError when there cannot be another one.
  std::shared_ptr<LaunchStream> new_stream();
  /// Whether the default stream runs in place.
  bool in_place() const { return in_place_; }
  /// Whether no launch is in flight, and all failures have been thrown.
  bool settled() const { return unsettled_.load(std::memory_order_acquire) == 0; }

  std::unique_ptr<Profiler> profiler;           // gets the times of tasks; null: nothing is measured
  std::function<void(std::string_view)> print;  // one call for each launch that printed, by its or a waiting thread
  std::function<void(std::string_view)> warn;   // the same, once for each warning

  /// Runs all tasks in place, on the default stream. Throws KernelAssertionError, KernelInterrupted.
  void run(const KernelCode& code, const ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll,
           uint64_t* kept = nullptr, const Counting& counting = {});

  /// Called before a launch is enqueued. When many are in flight on the stream, takes in those that are over; when very
  /// many are, waits for the oldest, as wait_for does.
  void make_room(LaunchStream& stream, LaunchPoll* poll);
  /// Enqueues a launch. Its memory belongs to the device from now on. The launch ends at the next wait. Throws
  /// KernelRuntimeError when the stream is destroyed.
  void enqueue(LaunchStream& stream, std::shared_ptr<LaunchInFlight> launch);

  /// Waits for launches and takes in their prints, warnings and counts. A wait for a launch is one for all that come
  /// before it on its stream. When all of them are over, throws the first KernelAssertionError on these streams that
  /// has not been thrown yet. Throws KernelInterrupted when `poll` ends the wait. This one waits for `launch`.
  void wait_for(LaunchStream& stream, const LaunchInFlight& launch, LaunchPoll* poll);
  /// Waits for all launches that use a memory.
  void wait_for(const device::Memory& memory, LaunchPoll* poll = nullptr);
  void wait_for(LaunchStream& stream, LaunchPoll* poll = nullptr);
  void wait_for(const LaunchEvent& event, LaunchPoll* poll = nullptr);
  void wait(LaunchPoll* poll = nullptr);
  /// Waits like wait(), but a failure is thrown by the next wait().
  void take_in(LaunchPoll* poll = nullptr);

  /// Takes in launches that are over on all streams, without a wait.
  void take_in_over();

  LaunchEvent record(LaunchStream& stream);
  /// Makes later launches on the stream run after the event. A stream that runs in place waits here; `poll` as above.
  void wait_in(LaunchStream& stream, const LaunchEvent& event, LaunchPoll* poll);
  /// Waits for the stream, as wait_for does, and ends it: launches on it are refused from now on. When `poll` ends the
  /// wait, the stream is as it was.
  void destroy(const std::shared_ptr<LaunchStream>& stream, LaunchPoll* poll);
  /// Ends all launches early if the device can (device::Stream::end_early). For a program whose end does not wait.
  void end_early();

 private:
  /// A failure that has not been thrown yet.
  struct Failure {
    std::exception_ptr error;
    std::shared_ptr<LaunchStream> stream;
    uint64_t launch;
    std::vector<std::weak_ptr<device::Memory>> memories;  // that the launch used
  };

  std::vector<std::shared_ptr<LaunchStream>> streams();
  /// Throws the failure of the oldest launch for which `concerns` is true.
  void raise(const std::function<bool(const Failure&)>& concerns);
  /// Takes in the launches of a stream up to this number.
  void harvest(LaunchStream& stream, uint64_t last, LaunchPoll* poll);
  /// Takes in a launch that is over.
  void take_in(LaunchStream& stream, const std::shared_ptr<LaunchInFlight>& launch, LaunchPoll* poll);
  /// Takes in the launches of a stream that are over.
  void take_in_over(LaunchStream& stream);
  void note_failure(LaunchStream& stream, const LaunchInFlight& launch, std::exception_ptr error);
  /// Releases streams that have no owner any more.
  void remove_unused();
  /// Runs a launch in place, and tells the profiler.
  void run_measured(const KernelCode& code, device::Invocation invocation);
  /// Hands on the prints and warnings of a launch, and throws its failure.
  void tell(const KernelCode& code, const device::LaunchOutcome& outcome);

  const std::shared_ptr<device::Device> device_;
  const std::shared_ptr<LaunchStream> default_stream_;
  device::Stream& stream_;  // the default one
  const bool in_place_;
  std::atomic<uint64_t> numbers_ = 0;  // the number of the last launch that was enqueued
  std::atomic<size_t> unsettled_ = 0;  // launches that have not been taken in, and failures
  std::mutex mutex_;                   // guards the members below
  std::vector<std::shared_ptr<LaunchStream>> streams_;
  std::vector<Failure> failures_;  // at most one for each stream
  std::set<std::string> warned_;   // places that have warned already
};

}  // namespace qd
