// Threads that are stopped for ever, for the end of a process that a thread would hold.
#pragma once

#include <pthread.h>

#include <atomic>

namespace qd::codegen {

/// A thread that StopSignal can stop, made by that thread. The thread must not end before the last use.
class StoppableThread {
 public:
  StoppableThread();
  /// Whether the thread has been stopped. It runs no instruction any more.
  bool stopped() const { return stopped_->load(std::memory_order_acquire); }

 private:
  friend class StopSignal;
  pthread_t thread_;
  std::atomic<bool>* stopped_;
};

/// Takes over a signal while it exists.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// Stops the thread, unless it is in the C library, the memory allocator, the dynamic linker or libstdc++ when the
  /// signal arrives: there it may hold a lock that all threads need. Returns at once; the caller waits a moment, and
  /// tries again where the thread has not stopped.
  static void send(const StoppableThread& thread);
};

}  // namespace qd::codegen
