// A stream of a program with its launches in flight, and points in its work.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/launch/code.h"
#include "runtime/launch/observer.h"

namespace qd {

class Variant;

/// Words for the counts of a launch, and their observer; null: there is none.
struct Counting {
  VariantObserver* observer = nullptr;
  VariantObserver::Counters counters;
};

/// Gives the counts of a launch that is over to the observer, unless the launch ended in the middle; then the counts
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
  std::vector<std::shared_ptr<device::Memory>> memories;  // of the arrays
  bool with_others = false;                               // Invocation::with_others
  device::LaunchOutcome outcome;
  std::vector<device::TaskTime> times;
  std::shared_ptr<device::Event> event;
  uint64_t number = 0;  // later launches of the program have higher ones; 0: none yet
};

/// A stream of a program's device. Launches on it are taken in, that is, their outcomes are read, in their order.
/// Thread-safe. Programs make streams (Program::new_stream), and wait for them.
class LaunchStream {
 public:
  /// `own`: null for the default stream of the device.
  LaunchStream(std::shared_ptr<device::Device> device, std::unique_ptr<device::Stream> own, uint32_t number);
  LaunchStream(const LaunchStream&) = delete;
  LaunchStream& operator=(const LaunchStream&) = delete;

  /// A number that no other stream of the program has at the same time; that of the default stream is kDefaultStream.
  uint32_t number() const { return number_; }
  bool in_place() const { return in_place_; }
  device::Stream& stream() const { return stream_; }

 private:
  friend class Launcher;
  friend class TakingIn;

  /// Enqueues a launch. `numbers`: the number of the program's last launch. False when the stream is closed.
  bool enqueue(std::shared_ptr<LaunchInFlight> launch, std::atomic<uint64_t>& numbers, bool measured);
  /// The oldest launch that has not been taken in; null when it has a higher number than `last`.
  std::shared_ptr<LaunchInFlight> oldest(uint64_t last) const;
  /// The number of the last launch; of the last one in flight that uses a memory, 0 when there is none.
  uint64_t last() const;
  uint64_t last_use(const device::Memory& memory) const;
  size_t in_flight() const;
  /// Refuses launches from now on. False, and nothing happens, when some are in flight.
  bool close();

  /// Waits until this thread may take in launches, at most for this time, and returns whether it may. One thread at a
  /// time may; while it takes in a launch, which prints, it may take in others.
  bool begin_taking_in(std::chrono::milliseconds time);
  void end_taking_in();
  /// Takes a launch off the list. False when it is not the oldest one any more.
  bool take_off(const LaunchInFlight& launch);

  const std::shared_ptr<device::Device> device_;  // outlives the stream
  const uint32_t number_;

  mutable std::mutex mutex_;  // guards the members below
  std::deque<std::shared_ptr<LaunchInFlight>> in_flight_;
  uint64_t last_ = 0;
  bool closed_ = false;
  std::condition_variable taken_in_;
  std::thread::id taker_;  // the thread that takes in launches
  int depth_ = 0;          // number of launches that it is taking in, one from inside of the other

  // Behind the launches, which must stay alive until the device's stream has ended.
  const std::unique_ptr<device::Stream> own_;
  device::Stream& stream_;
  const bool in_place_;
};

/// A point in a stream: after all launches that were enqueued before it was recorded.
struct LaunchEvent {
  std::shared_ptr<device::Event> point;
  std::weak_ptr<LaunchStream> stream;
  uint64_t last = 0;  // the number of the last launch before it
};

}  // namespace qd
