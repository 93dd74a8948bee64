// The work of the reference device: streams of jobs, run by one thread, later than they were enqueued.
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

/// A point in a stream.
struct Mark {
  bool reached = false;  // under the queue's lock
};

/// Jobs of one stream run in their order, those of several in an order that is drawn from a seed. Nothing runs before
/// somebody waits for it, or much of it has come together: so that whoever forgets to wait finds out. Thread-safe.
class WorkQueue {
 public:
  using Job = std::function<void()>;

  explicit WorkQueue(uint64_t seed);
  /// Runs all that was enqueued.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// A new stream's number.
  size_t add_stream();
  void add(size_t stream, Job job);
  std::shared_ptr<Mark> mark(size_t stream);
  /// What is added to the stream from now on runs after the mark is reached.
  void wait_in_stream(size_t stream, std::shared_ptr<Mark> mark);
  /// Waits on the calling thread; whether the mark was reached in time.
  bool wait_for(const Mark& mark, std::chrono::milliseconds time);
  /// Waits for all that was added before.
  void wait_for_all();

 private:
  struct Entry {
    Job job;                      // empty: it only waits for or reaches a mark
    std::shared_ptr<Mark> after;  // runs when this is reached; may be null
    std::shared_ptr<Mark> reaches;
  };
  void work();
  bool runnable(size_t stream) const;
  void put(size_t stream, Entry entry);

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<std::deque<Entry>> streams_;
  std::mt19937_64 random_;
  size_t waiting_ = 0;    // entries
  size_t patience_ = 0;   // so many entries may wait before they run unasked
  size_t wanted_by_ = 0;  // threads that wait
  bool hurry_ = false;    // all that waits is run
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace qd::device
