// The threads that run parallel tasks: kept between launches, and fed with parts of a range.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace qd::device {

/// Thread-safe. One range runs at a time; a call from inside of a running range runs on its own thread alone. After a
/// fork the child starts threads of its own.
class ThreadPool {
 public:
  /// `threads` includes the calling thread; 0 or less means all cores, and 1024 are the most that are used. `warn` is
  /// told when not so many can be started, by the thread that runs a range: then those that can be run it.
  explicit ThreadPool(int threads, std::function<void(const std::string&)> warn = nullptr);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  using Part = void (*)(void* data, int64_t begin, int64_t end);
  /// What the calling thread does when it waits for others.
  struct Waiting {
    bool (*look)(void* data);  // now and then; true: it is not worth waiting for, and threads in a CodeCall are
                               // interrupted until they are out of it
    void* data;
  };
  /// Calls part(data, begin, end) for parts of [0, count) of `chunk` elements, on all threads, and waits. `part` must
  /// not throw. A single part runs on the caller. With `waiting`: parts may not run at all once `look` was true.
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
