// The work of the reference device: streams of jobs, which one thread runs, later than they were enqueued.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace qd::device {

/// A point in a stream, for an Event.
struct QueuePoint {
  bool reached = false;  // guarded by the queue's lock
};

/// Queue of jobs. Jobs of one stream run in their order. The order between streams is drawn from a seed. No job runs
/// before a thread waits for it, or many jobs have come together, so that a missing wait is found out. Thread-safe.
class WorkQueue {
 public:
  using Job = std::function<void()>;

  explicit WorkQueue(uint64_t seed);
  /// Runs all jobs that were added.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// Adds a stream, and returns its number.
  size_t add_stream();
  void add(size_t stream, Job job);
  std::shared_ptr<QueuePoint> point(size_t stream);
  /// Makes jobs that are added to the stream from now on run after the point is reached.
  void wait_in_stream(size_t stream, std::shared_ptr<QueuePoint> point);
  /// Waits for a point, at most this time. Returns whether it was reached.
  bool wait_for(const QueuePoint& point, std::chrono::milliseconds time);
  /// Waits for all jobs that were added before.
  void wait_for_all();

 private:
  struct Entry {
    Job job;                            // empty: the entry only waits for a point, or reaches one
    std::shared_ptr<QueuePoint> after;  // the entry runs when this is reached; may be null
    std::shared_ptr<QueuePoint> reaches;
  };
  void work();
  bool runnable(size_t stream) const;
  void put(size_t stream, Entry entry);

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::vector<std::deque<Entry>> streams_;
  std::mt19937_64 random_;
  size_t waiting_ = 0;    // number of entries that are waiting
  size_t patience_ = 0;   // number of entries that may wait before they run although no thread waits for them
  size_t wanted_by_ = 0;  // number of threads that are waiting
  bool hurry_ = false;    // the thread runs everything that is in the queue
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace qd::device
