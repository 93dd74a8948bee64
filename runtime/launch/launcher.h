// Runs launches on a program's device: launches in place, and launches that go on after the call.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/launch/code.h"
#include "runtime/launch/observer.h"
#include "runtime/launch/profiler.h"

namespace qd {

class Variant;

/// Where a launch writes its counts, and who gets them; nobody when `observer` is null.
struct Counting {
  VariantObserver* observer = nullptr;
  VariantObserver::Counters counters;
};

/// Called when a launch is over. The observer gets its counts, unless the launch ended in the middle; then the counts
/// mean nothing.
inline void give_counts(const Counting& counting, const device::LaunchOutcome& outcome,
                        std::span<const uint64_t> words) {
  using Status = device::LaunchOutcome::Status;
  if (!counting.observer) return;
  if (outcome.status == Status::Interrupted || outcome.status == Status::Lost)
    return counting.observer->launch_left(counting.counters.id);
  counting.observer->launch_done(counting.counters.id, words);
}

/// A launch that is not over, and everything that must stay alive until it is.
struct LaunchInFlight {
  std::shared_ptr<const Variant> variant;  // keeps its code and its observer alive
  const KernelCode* code = nullptr;
  Counting counting;
  std::vector<uint64_t> counters;  // the counts of this launch alone
  std::vector<ArraySlot> arrays;
  std::vector<uint64_t> params, results;
  std::vector<uint64_t> kept;                             // Invocation::kept; may be empty
  std::vector<std::shared_ptr<device::Memory>> memories;  // in which the arrays lie
  device::LaunchOutcome outcome;
  std::vector<device::TaskTime> times;
  std::shared_ptr<device::Event> event;
};

/// Thread-safe. On a device with Capabilities::in_place, no launch is ever in flight.
class Launcher {
 public:
  explicit Launcher(std::shared_ptr<device::Device> device)
      : device_(std::move(device)), stream_(device_->stream()), in_place_(device_->capabilities().in_place) {}

  /// The device lives as long as code for it, which may be compiled in the background after its program has ended.
  const std::shared_ptr<device::Device>& device() const { return device_; }
  bool in_place() const { return in_place_; }

  std::unique_ptr<Profiler> profiler;           // told how long tasks took; null: nothing is measured
  std::function<void(std::string_view)> print;  // one call for each launch that printed, by its or a waiting thread
  std::function<void(std::string_view)> warn;   // the same, once for each warning

  /// Runs all tasks in place. Returns how many tasks ran. Throws KernelAssertionError, KernelInterrupted.
  int run(const KernelCode& code, const ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll,
          uint64_t* kept = nullptr, const Counting& counting = {});

  /// Called before a launch is enqueued: when very many are in flight, waits for the oldest, as wait_for does.
  void make_room(LaunchPoll* poll);
  /// Enqueues a launch. Its memory belongs to the device from now on. The launch ends at the next wait.
  void enqueue(std::shared_ptr<LaunchInFlight> launch);

  /// Waits for launches and takes in what they leave: prints, warnings, counts. When all of them are over, throws the
  /// first KernelAssertionError that nobody has been told of. Throws KernelInterrupted when `poll` ends the wait. This
  /// one waits for `launch` and for those before it.
  void wait_for(const LaunchInFlight& launch, LaunchPoll* poll);
  /// Waits for all launches that use a memory, and for those before them.
  void wait_for(const device::Memory& memory, LaunchPoll* poll = nullptr);
  void wait(LaunchPoll* poll = nullptr);
  /// Like wait(), but a failure is thrown by the next wait().
  void take_in(LaunchPoll* poll = nullptr);

 private:
  /// The oldest launch, over or not. Null when no launch is left up to the last one for which `wanted` is true.
  std::shared_ptr<LaunchInFlight> oldest(const std::function<bool(const LaunchInFlight&)>& wanted);
  void raise();
  void harvest(const std::function<bool(const LaunchInFlight&)>& wanted, LaunchPoll* poll);
  /// Runs a launch in place, and tells the profiler.
  void run_measured(const KernelCode& code, device::Invocation invocation);
  /// Hands on the prints and warnings of a launch, and throws its failure.
  void tell(const KernelCode& code, const device::LaunchOutcome& outcome);

  const std::shared_ptr<device::Device> device_;
  device::Stream& stream_;
  const bool in_place_;
  std::recursive_mutex harvesting_;                        // guards what follows; taken before mutex_
  std::exception_ptr failure_;                             // a failure that nobody has been told of
  std::mutex mutex_;                                       // guards what follows
  std::deque<std::shared_ptr<LaunchInFlight>> in_flight_;  // in the order of the stream
  std::set<std::string> warned_;                           // places that have warned already
};

}  // namespace qd
