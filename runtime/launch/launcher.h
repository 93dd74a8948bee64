// Launches on the device of a program: those in place, and those that go on after the call.
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

namespace qd {

class Variant;

/// What a launch writes its counts into, and who takes them; nobody when `observer` is null.
struct Counting {
  VariantObserver* observer = nullptr;
  VariantObserver::Counters counters;
};

/// A launch is over: whoever observes it gets its counts, unless it ended in the middle, where they say nothing.
inline void give_counts(const Counting& counting, const device::Outcome& outcome, std::span<const uint64_t> words) {
  using Status = device::Outcome::Status;
  if (!counting.observer) return;
  if (outcome.status == Status::Interrupted || outcome.status == Status::Lost)
    return counting.observer->launch_left(counting.counters.id);
  counting.observer->launch_done(counting.counters.id, words);
}

/// A launch that is not over, with all that must stay alive until it is.
struct LaunchInFlight {
  std::shared_ptr<const Variant> variant;  // with its code and its observer
  const Code* code = nullptr;
  Counting counting;
  std::vector<uint64_t> counters;  // of this launch alone
  std::vector<ArraySlot> arrays;
  std::vector<uint64_t> params, results;
  std::vector<std::shared_ptr<device::Memory>> memories;  // that the arrays lie in
  device::Outcome outcome;
  std::shared_ptr<device::Event> event;
};

/// Thread-safe. Where Capabilities::in_place nothing is ever in flight.
class Launcher {
 public:
  explicit Launcher(std::shared_ptr<device::Device> device)
      : device_(std::move(device)), stream_(device_->stream()), in_place_(device_->capabilities().in_place) {}

  /// Lives as long as code of it, which may be compiled in the background when its program has ended.
  const std::shared_ptr<device::Device>& device() const { return device_; }
  bool in_place() const { return in_place_; }

  std::function<void(std::string_view)> print;  // one call a launch; called by the thread that launched, or that waits
  std::function<void(std::string_view)> warn;   // likewise, a call for each warning

  /// Runs all tasks in place. Gives the number of tasks that ran. Throws KernelAssertionError, KernelInterrupted.
  int run(const Code& code, const ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll,
          const Counting& counting = {});

  /// Before a launch is enqueued: waits for the oldest, as wait_for does, when very many are in flight.
  void make_room(LaunchPoll* poll);
  /// Enqueues a launch: its memory is the device's from now on. It ends at the next wait.
  void enqueue(std::shared_ptr<LaunchInFlight> launch);

  /// Waits for launches and takes in what they leave: prints, warnings, counts. Throws the first KernelAssertionError
  /// of one that nobody was told of, after all of them; KernelInterrupted when `poll` wants no more waiting. The first:
  /// for this launch and those before it.
  void wait_for(const LaunchInFlight& launch, LaunchPoll* poll);
  /// For all that use a memory, and those before them.
  void wait_for(const device::Memory& memory, LaunchPoll* poll = nullptr);
  void wait(LaunchPoll* poll = nullptr);
  /// As wait(), but what failed is thrown by the next one.
  void take_in(LaunchPoll* poll = nullptr);

 private:
  /// The oldest launch, over or not; null when none is left up to the last one that `wanted` wants.
  std::shared_ptr<LaunchInFlight> oldest(const std::function<bool(const LaunchInFlight&)>& wanted);
  void raise();
  void harvest(const std::function<bool(const LaunchInFlight&)>& wanted, LaunchPoll* poll);
  /// Gives its prints and warnings to whoever shows them, and throws what it failed with.
  void tell(const Code& code, const device::Outcome& outcome);

  const std::shared_ptr<device::Device> device_;
  device::Stream& stream_;
  const bool in_place_;
  std::recursive_mutex harvesting_;                        // of what follows; comes before the other
  std::exception_ptr failure_;                             // that nobody was told of
  std::mutex mutex_;                                       // of what follows
  std::deque<std::shared_ptr<LaunchInFlight>> in_flight_;  // in the order of the stream
  std::set<std::string> warned_;                           // places
};

}  // namespace qd
