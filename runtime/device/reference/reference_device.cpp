// Runs a launch as a job in a queue; the job interprets the kernel.
#include "runtime/device/reference/reference_device.h"

#include "runtime/codegen/reference/reference_target.h"
#include "runtime/device/reference/interpreted_kernel.h"
#include "runtime/device/reference/reference_memory.h"
#include "runtime/device/reference/work_queue.h"

namespace qd::device {
namespace {

struct ReferenceEvent : Event {
  ReferenceEvent(std::shared_ptr<WorkQueue> queue, std::shared_ptr<QueuePoint> point)
      : queue(std::move(queue)), point(std::move(point)) {}
  bool wait_for(std::chrono::milliseconds time) override { return queue->wait_for(*point, time); }

  const std::shared_ptr<WorkQueue> queue;
  const std::shared_ptr<QueuePoint> point;
};

class ReferenceStream : public Stream {
 public:
  ReferenceStream(std::shared_ptr<WorkQueue> queue, uint64_t seed)
      : queue_(std::move(queue)), number_(queue_->add_stream()), seed_(seed) {}
  ~ReferenceStream() override { queue_->wait_for_all(); }

  void run(const Executable& executable, const Invocation& invocation) override {
    queue_->add(number_, [this, &executable, invocation] {
      static_cast<const InterpretedKernel&>(executable).run(invocation, seed_ + launches_++);
    });
  }
  std::shared_ptr<Event> record() override { return std::make_shared<ReferenceEvent>(queue_, queue_->point(number_)); }
  void wait(std::shared_ptr<Event> event) override {
    queue_->wait_in_stream(number_, static_cast<ReferenceEvent&>(*event).point);
  }

 private:
  const std::shared_ptr<WorkQueue> queue_;
  const size_t number_;
  const uint64_t seed_;
  uint64_t launches_ = 0;  // used by the queue's thread only
};

class ReferenceDevice : public Device {
 public:
  explicit ReferenceDevice(const DeviceOptions& options)
      : Device({.arch = "reference", .host_memory = false}),
        seed_(options.random_seed),
        queue_(std::make_shared<WorkQueue>(seed_)),
        stream_(queue_, seed_) {}

  std::string name() const override { return "an interpreter"; }
  const codegen::Target& target() const override { return codegen::reference_target(); }
  std::shared_ptr<Memory> allocate(size_t size) override {
    return std::make_shared<ReferenceMemory>(size, [queue = std::weak_ptr(queue_)] {
      if (const std::shared_ptr<WorkQueue> running = queue.lock()) running->wait_for_all();
    });
  }
  std::unique_ptr<Executable> load(const codegen::Binary& binary, const ir::Kernel& kernel) override {
    return std::make_unique<InterpretedKernel>(codegen::kernel_of(binary), kernel);
  }
  Stream& stream() override { return stream_; }
  std::unique_ptr<Stream> new_stream() override { return std::make_unique<ReferenceStream>(queue_, seed_); }

 private:
  const uint64_t seed_;
  const std::shared_ptr<WorkQueue> queue_;
  ReferenceStream stream_;
};

}  // namespace

std::unique_ptr<Device> reference_device(const DeviceOptions& options) {
  return std::make_unique<ReferenceDevice>(options);
}

}  // namespace qd::device
