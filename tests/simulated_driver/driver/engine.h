// Execution of a device's work: it runs the operations of streams, later and on threads of its own.
//
// One thread takes an operation of one stream after the other; which stream comes next is drawn. A second one stands in
// for it while a kernel runs for long, and does other operations. With a seed the device lags behind: it begins when
// the host waits or asks for something, or half a millisecond later, so that there is an order to be drawn.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <unordered_set>
#include <vector>

#include "tests/simulated_driver/driver/results.h"

namespace qd::simulated {

using Clock = std::chrono::steady_clock;

struct Queue;
struct Capture;

/// A place on a stream, at which an event was recorded.
struct Mark {
  bool reached = false;
  Clock::time_point when;
  std::shared_ptr<Capture> capture = nullptr;  // in which it was recorded; null: in none
  const Queue* of = nullptr;                   // of those in a capture
};

struct Operation {
  std::function<Result()> work = nullptr;  // may be empty
  bool is_kernel = false;
  std::shared_ptr<const Mark> after = nullptr;  // it is done when this has been reached
};

struct GraphNodes;

/// Operations enqueued on streams that are being captured.
struct Capture {
  std::shared_ptr<GraphNodes> nodes;
  const void* graph;                            // its handle
  std::vector<std::shared_ptr<Queue>> queues;   // the first is that of the stream on which it was begun
  std::unordered_set<const Queue*> unfinished;  // those with operations for which the first does not wait
};

/// The value of a node that is done or not, which kernels set.
struct Condition {
  std::atomic<uint32_t> value = 0;
  bool has_node = false;
};

/// Operations of a graph, in order.
struct GraphNodes {
  std::vector<Operation> operations;
  std::unordered_set<const void*> loose;  // nodes that were added, and for which nothing waits so far
  std::vector<std::shared_ptr<Condition>> conditions;
  std::deque<void*> bodies;  // handles of graphs that belong to nodes of this one
};

/// All fields but the last belong to the engine.
struct Queue {
  std::deque<Operation> waiting;
  bool runs = false;
  uint64_t added = 0, done = 0;
  std::shared_ptr<Capture> capture = nullptr;  // null: it is not captured
};

class Engine {
 public:
  /// The mutex of all engines protects them, and the state of marks.
  explicit Engine(std::mutex& mutex) : mutex_(mutex) {}

  // With the mutex held:
  /// Resets the engine, as if nothing had been done yet. Nothing may wait.
  void begin_again(std::optional<uint64_t> seed);
  /// Enqueues an operation, or notes it, where the stream is captured.
  void add(const std::shared_ptr<Queue>& queue, Operation operation);
  /// Waits, with the mutex released meanwhile.
  void wait_until(std::unique_lock<std::mutex>& lock, const std::function<bool()>& holds);
  void finish(std::unique_lock<std::mutex>& lock, const Queue& queue);
  void finish_all(std::unique_lock<std::mutex>& lock);
  /// Tells the engine that the host has asked how far the device is.
  void hurry();
  /// The result of the first operation that failed. Those behind it are not done.
  Result failed() const { return failed_; }
  /// To be called when a mark has been reached on another engine.
  void look_again();

  /// Callback, with the mutex held, each time that an operation is over.
  std::function<void()> on_progress;

 private:
  using Chosen = std::shared_ptr<Queue>;

  void start_threads();
  void work(bool stands_in);
  Chosen choose(bool kernels);
  bool may_begin() const;
  void run(std::unique_lock<std::mutex>& lock, const Chosen& queue);
  bool idle() const;

  std::mutex& mutex_;
  std::optional<uint64_t> seed_;
  std::mt19937_64 random_;
  std::vector<std::shared_ptr<Queue>> queues_;  // those in which something waits or runs
  std::condition_variable wake_, wake_stand_in_, progress_;
  bool started_ = false, hurries_ = false, kernel_runs_ = false;
  int hosts_waiting_ = 0;
  Clock::time_point oldest_, kernel_since_;
  Result failed_ = Result::Success;
};

}  // namespace qd::simulated
