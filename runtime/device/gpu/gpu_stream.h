// A stream of a GPU: the thread that launches enqueues its work with the driver.
#pragma once

#include <chrono>
#include <memory>

#include "runtime/device/gpu/driver_event.h"
#include "runtime/device/gpu/gpu_executable.h"
#include "runtime/device/gpu/stream_work.h"

namespace qd::device::gpu {

/// Enqueues launches from the thread that launches. A launch in whose midst the host must wait (GpuExecutable::waits)
/// is enqueued by a thread of the stream, and so are later ones until the thread has nothing left to do.
///
/// In the child of a fork the stream is dead: it may only be destroyed.
class GpuStream : public Stream {
 public:
  /// Makes a stream. `seed`: of random numbers. `limit`: longest time of the device without progress; 0: no limit.
  /// Throws std::runtime_error.
  GpuStream(std::shared_ptr<EventPool> events, uint64_t seed, std::chrono::nanoseconds limit);
  ~GpuStream() override;

  void run(const Executable& executable, const Invocation& invocation) override;
  std::shared_ptr<Event> record() override;
  void wait(std::shared_ptr<Event> event) override;
  void end_early() override;
  DriverStream driver_stream() const override;
  /// The work of the stream, to wait for all of it; it may outlive the stream.
  std::shared_ptr<StreamWork> work() const;

 private:
  struct Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace qd::device::gpu
