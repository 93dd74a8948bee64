// The CPU as a device: each of its streams runs a launch at once.
#include "runtime/device/cpu/cpu_device.h"

#include <fstream>
#include <string>

#include "runtime/codegen/cpu/compile.h"
#include "runtime/codegen/cpu/host_target.h"
#include "runtime/device/cpu/host_memory.h"
#include "runtime/device/cpu/run.h"

namespace qd::device {
namespace {

/// The model of the processor as Linux tells it (proc(5), /proc/cpuinfo); where it does not, as LLVM calls it.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t value = line.find(": ");
    if (line.starts_with("model name") && value != std::string::npos) return line.substr(value + 2);
  }
  const std::string cpu = codegen::host_cpu();
  return cpu.substr(0, cpu.find(' '));
}

class NothingToWaitFor : public Event {
 public:
  bool wait_for(std::chrono::milliseconds) override { return true; }
};

class CpuStream : public Stream {
 public:
  explicit CpuStream(CpuState& state) : state_(state) {}

  void run(const Executable& executable, const Invocation& invocation) override {
    device::run(state_, static_cast<const CpuExecutable&>(executable), invocation);
  }
  std::shared_ptr<Event> record() override { return std::make_shared<NothingToWaitFor>(); }
  void wait(std::shared_ptr<Event>) override {}

 private:
  CpuState& state_;
};

class CpuDevice : public Device {
 public:
  explicit CpuDevice(const DeviceOptions& options)
      : Device({.arch = "cpu", .in_place = true}),
        state_{ThreadPool(options.threads, options.warn), options.random_seed} {}

  std::string name() const override {
    const int threads = state_.pool.threads();
    return processor() + (threads == 1 ? ", 1 thread" : ", " + std::to_string(threads) + " threads");
  }
  const codegen::Target& target() const override { return codegen::host_target(); }
  std::shared_ptr<Memory> allocate(size_t size) override { return std::make_shared<HostMemory>(size); }
  std::unique_ptr<Executable> load(const codegen::Binary& binary, const ir::Kernel& kernel) override {
    return std::make_unique<CpuExecutable>(binary, kernel);
  }
  Stream& stream() override { return stream_; }
  std::unique_ptr<Stream> new_stream() override { return std::make_unique<CpuStream>(state_); }

 private:
  CpuState state_;
  CpuStream stream_{state_};
};

}  // namespace

std::unique_ptr<Device> cpu_device(const DeviceOptions& options) { return std::make_unique<CpuDevice>(options); }

}  // namespace qd::device
