// A stream of the CPU that is a queue: a thread of its own runs its launches.
#pragma once

#include <memory>

#include "runtime/device/cpu/task_run.h"
#include "runtime/device/queue_event.h"

namespace qd::device {

/// Runs serial tasks on the stream's thread; parallel ones there and, while no other stream has them, on the threads of
/// the pool. In the child of a fork the stream is dead: it may only be destroyed.
class QueueStream : public Stream {
 public:
  /// The pool must outlive the stream. Throws std::runtime_error when no thread can be started.
  QueueStream(ThreadPool& pool, uint64_t random_seed);
  ~QueueStream() override;

  void run(const Executable& executable, const Invocation& invocation) override;
  std::shared_ptr<Event> record() override;
  void wait(std::shared_ptr<Event> event) override;
  void end_early() override;

 private:
  struct Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace qd::device
