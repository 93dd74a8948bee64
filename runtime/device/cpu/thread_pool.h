// The threads that run parallel tasks. They are kept between launches, and take parts of a range.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace qd::device {

/// Thread-safe. The workers have one range at a time; further ranges run on the threads that call run() for them, until
/// the workers are free. A call from inside of a running range runs its range on the calling thread alone. In the child
/// of a fork, the pool starts new threads.
class ThreadPool {
 public:
  /// `threads` includes the calling thread. 0 or less means all cores; 1024 is the most. When fewer threads than wanted
  /// can be started, the thread that runs a range calls `warn`, and the range runs on those that there are.
  explicit ThreadPool(int threads, std::function<void(const std::string&)> warn = nullptr);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  using Part = void (*)(void* data, int64_t begin, int64_t end);
  /// Actions of the calling thread while it waits for others.
  struct Waiting {
    bool (*look)(void* data);  // called now and then; true: the wait is to end, and threads in a CodeCall are
                               // interrupted until they are out of it
    void* data;
  };
  /// Calls part(data, begin, end) for parts of [0, count) of `chunk` elements, on all threads, and waits for them.
  /// `part` must not throw. A range of a single part runs on the calling thread. With `waiting`: after `look` was true,
  /// parts may not run at all.
  void run(int64_t count, int64_t chunk, Part part, void* data, const Waiting* waiting = nullptr);

 private:
  struct State;
  State& state();

  int wanted_;
  int threads_;
  std::function<void(const std::string&)> warn_;
  std::atomic<State*> state_ = nullptr;
};

}  // namespace qd::device
