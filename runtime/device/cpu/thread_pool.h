// The threads that run parallel tasks: kept between launches, and fed with parts of a range.
#pragma once

#include <atomic>
#include <cstdint>

namespace qd::device {

/// Thread-safe. One range runs at a time; a call from inside of a running range runs on its own thread alone. After a fork the child starts threads of its own.
class ThreadPool {
 public:
  /// `threads` includes the calling thread; 0 means all cores.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  using Part = void (*)(void* data, int64_t begin, int64_t end);
  /// Calls part(data, begin, end) for parts of [0, count) of `chunk` elements, on all threads, and waits. `part` must not throw. A single part runs on the caller.
  void run(int64_t count, int64_t chunk, Part part, void* data);

 private:
  struct State;
  State& state();

  int threads_;
  std::atomic<State*> state_ = nullptr;
};

}  // namespace qd::device
