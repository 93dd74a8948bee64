// A device that is not part of the build, added as another project would: memory on the other side of a bus, work that
// waits in a queue, few features, little room for messages.
#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/back_ends/back_ends.h"
#include "runtime/codegen/cpu/host_target.h"
#include "runtime/device/cpu/cpu_device.h"

namespace qd::testing {

constexpr size_t kRoomForMessages = 2;

/// Jobs that were asked for and are not done yet.
struct MadeUpQueue {
  std::deque<std::function<void()>> jobs;
  void run_all() {
    for (; !jobs.empty(); jobs.pop_front()) jobs.front()();
  }
};

/// Bytes of the device, and a copy for the host that is filled by map() and brought back by unmap().
class MadeUpMemory : public device::Memory {
 public:
  MadeUpMemory(size_t size, std::shared_ptr<MadeUpQueue> queue)
      : MadeUpMemory(size, std::vector<char>(size + 64), std::move(queue)) {}

  void* map(Access access) override {
    queue_->run_all();
    if (access_ == Access::Read || !mapped_) std::memcpy(host_.data(), address(), size());
    mapped_ = true;
    if (access == Access::Write) access_ = Access::Write;
    return host_.data();
  }
  void* host_address() override { return host_.data(); }
  void unmap() override {
    if (mapped_ && access_ == Access::Write) std::memcpy(address(), host_.data(), size());
    if (mapped_) std::memset(host_.data(), 0xee, host_.size());
    mapped_ = false;
    access_ = Access::Read;
  }

 private:
  static void* aligned(std::vector<char>& bytes) {
    return bytes.data() + (64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64) % 64;
  }
  MadeUpMemory(size_t size, std::vector<char> bytes, std::shared_ptr<MadeUpQueue> queue)
      : Memory(size, aligned(bytes)), bytes_(std::move(bytes)), host_(size), queue_(std::move(queue)) {}

  std::vector<char> bytes_, host_;
  const std::shared_ptr<MadeUpQueue> queue_;
  bool mapped_ = false;
  Access access_ = Access::Read;
};

class MadeUpTarget : public codegen::Target {
 public:
  const std::string& compiler() const override { return name_; }
  const std::string& processor() const override { return name_; }
  const passes::Plan& plan() const override { return codegen::host_target().plan(); }
  codegen::Binary compile(const ir::Kernel& kernel, const codegen::Options& options) const override {
    return codegen::host_target().compile(kernel, options);
  }

 private:
  const std::string name_ = "made up";
};

class MadeUpEvent : public device::Event {
 public:
  explicit MadeUpEvent(std::shared_ptr<MadeUpQueue> queue) : queue_(std::move(queue)) {}
  bool wait_for(std::chrono::milliseconds) override {
    queue_->run_all();
    return true;
  }

 private:
  const std::shared_ptr<MadeUpQueue> queue_;
};

class MadeUpStream : public device::Stream {
 public:
  MadeUpStream(std::shared_ptr<device::Device> engine, std::shared_ptr<MadeUpQueue> queue)
      : engine_(std::move(engine)), queue_(std::move(queue)) {}

  void run(const device::Executable& executable, const device::Invocation& invocation) override {
    queue_->jobs.push_back([this, &executable, invocation] {
      engine_->stream().run(executable, invocation);
      std::vector<device::Message>& messages = invocation.outcome->messages;
      // The last one stays: it may be that of a failed assert.
      if (messages.size() > kRoomForMessages) {
        invocation.outcome->lost_messages = messages.size() - kRoomForMessages;
        messages.erase(messages.begin(), messages.end() - kRoomForMessages);
      }
    });
  }
  std::shared_ptr<device::Event> record() override { return std::make_shared<MadeUpEvent>(queue_); }
  void wait(std::shared_ptr<device::Event>) override {}

 private:
  const std::shared_ptr<device::Device> engine_;
  const std::shared_ptr<MadeUpQueue> queue_;
};

class MadeUpDevice : public device::Device {
 public:
  explicit MadeUpDevice(const device::DeviceOptions& options)
      : Device({.arch = "made_up",
                .features = static_cast<ir::Features>(ir::kAllFeatures &
                                                      ~ir::features(ir::Feature::F64, ir::Feature::Recursion)),
                .host_memory = false}),
        engine_(device::cpu_device(options)) {}

  std::string name() const override { return engine_->name(); }
  const codegen::Target& target() const override { return target_; }
  std::shared_ptr<device::Memory> allocate(size_t size) override {
    return std::make_shared<MadeUpMemory>(size, queue_);
  }
  std::unique_ptr<device::Executable> load(const codegen::Binary& binary, const ir::Kernel& kernel) override {
    return engine_->load(binary, kernel);
  }
  device::Stream& stream() override { return stream_; }
  std::unique_ptr<device::Stream> new_stream() override { return std::make_unique<MadeUpStream>(engine_, queue_); }

 private:
  const std::shared_ptr<device::Device> engine_;
  const MadeUpTarget target_;
  const std::shared_ptr<MadeUpQueue> queue_ = std::make_shared<MadeUpQueue>();
  MadeUpStream stream_{engine_, queue_};
};

/// The row that makes it a device of programs.
inline void add_made_up_device() {
  back_ends::add(
      {"made_up", [](const device::DeviceOptions& options) { return std::make_unique<MadeUpDevice>(options); }});
}

}  // namespace qd::testing
