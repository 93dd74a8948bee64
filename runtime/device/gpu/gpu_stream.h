// A stream of a GPU: the thread that launches enqueues its work with the driver.
#pragma once

#include <chrono>
#include <memory>

#include "runtime/device/gpu/gpu_executable.h"
#include "runtime/device/gpu/mark.h"
#include "runtime/device/gpu/stream_work.h"

namespace qd::device::gpu {

/// A launch for which the host must wait in its midst (GpuExecutable::waits) is enqueued by a thread of the stream, and
/// so is what comes behind it until the thread has nothing left to do. Other launches need no thread.
///
/// In the child of a fork the stream is dead: it may only be destroyed.
class GpuStream : public Stream {
 public:
  /// `seed`: of random numbers. `limit`: how long the device may take without getting further; 0: as long as it wants.
  /// Throws std::runtime_error.
  GpuStream(std::shared_ptr<EventPool> events, uint64_t seed, std::chrono::nanoseconds limit);
  ~GpuStream() override;

  void run(const Executable& executable, const Invocation& invocation) override;
  std::shared_ptr<Event> record() override;
  void wait(std::shared_ptr<Event> event) override;
  void end_early() override;
  DriverStream driver_stream() const override;
  /// What waits for all work of the stream, and may outlive it.
  std::shared_ptr<StreamWork> work() const;

 private:
  struct Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace qd::device::gpu
