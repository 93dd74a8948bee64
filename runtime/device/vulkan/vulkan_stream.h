// A stream of a Vulkan device: a thread gives its launches to a queue, as many at once as are waiting.
#pragma once

#include <chrono>
#include <memory>

#include "runtime/device/queue_event.h"
#include "runtime/device/vulkan/command_recorder.h"
#include "runtime/device/vulkan/vulkan_executable.h"
#include "runtime/device/vulkan/vulkan_launch.h"
#include "runtime/device/vulkan/work_count.h"

namespace qd::device::vulkan {

/// Stream with a thread. In the child of a fork it is dead: it may only be destroyed.
class VulkanStream : public Stream {
 public:
  /// Makes a stream. `count`: gets each launch. `seed`: of random numbers. `limit`: longest time of the device without
  /// progress; 0: no limit. Throws std::runtime_error.
  VulkanStream(std::shared_ptr<Gpu> gpu, std::shared_ptr<WorkCount> count, uint64_t seed,
               std::chrono::nanoseconds limit);
  ~VulkanStream() override;

  void run(const Executable& executable, const Invocation& invocation) override;
  std::shared_ptr<Event> record() override;
  void wait(std::shared_ptr<Event> event) override;
  void end_early() override;

 private:
  struct Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace qd::device::vulkan
