// The CPU as a device: its default stream runs a launch at once, others have a thread for them.
#include "runtime/device/cpu/cpu_device.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <string>

#include "runtime/codegen/cpu/compile.h"
#include "runtime/codegen/cpu/host_target.h"
#include "runtime/device/cpu/queue_stream.h"
#include "runtime/device/cpu/task_run.h"
#include "runtime/device/seeds.h"

namespace qd::device {
namespace {

/// The model of the processor by Linux (proc(5), /proc/cpuinfo), else by LLVM.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t value = line.find(": ");
    if (line.starts_with("model name") && value != std::string::npos) return line.substr(value + 2);
  }
  const std::string cpu = codegen::host_cpu();
  return cpu.substr(0, cpu.find(' '));
}

// Zeros next to a memory, in front of it and behind it: a kernel that writes to them used a wrong index.
constexpr size_t kWatched = 64;

// Bytes that no array has, in front of a memory and behind it: the watched ones and, for stencils that read a row or a
// slice outside of their array, more for larger arrays.
size_t margin(size_t size) {
  constexpr size_t kMost = 16 << 20;
  return kWatched + std::min(size / 16 / kWatched * kWatched, kMost);
}

/// Memory that the host and its kernels share, aligned to 64 bytes. calloc leaves the pages of large blocks untouched,
/// those of the margins, too.
class HostMemory : public Memory {
 public:
  /// Allocates zeroed memory. Throws std::bad_alloc.
  explicit HostMemory(size_t size) : HostMemory(size, allocate(size)) {}
  ~HostMemory() override {
    // Not a message of the program, which may be gone.
    if (written_outside())
      std::fprintf(stderr,
                   "[qd] a kernel wrote outside of %s, with an index out of range; qd.init(debug=True) shows where\n",
                   name().empty() ? "an array" : name().c_str());
    std::free(block_);
  }
  void* map(Access) override { return address(); }
  void* host_address() override { return address(); }
  void unmap() override {}

 private:
  HostMemory(size_t size, char* block) : Memory(size, data_of(block, size)), block_(block) {}
  static char* allocate(size_t size) {
    if (size > std::numeric_limits<size_t>::max() / 2) throw std::bad_alloc();
    void* block = std::calloc(size + 2 * margin(size) + kWatched, 1);
    if (!block) throw std::bad_alloc();
    return static_cast<char*>(block);
  }
  static char* data_of(char* block, size_t size) {
    const uintptr_t inside = reinterpret_cast<uintptr_t>(block) % kWatched;
    return block + (kWatched - inside) + margin(size);
  }
  char* begin() const { return static_cast<char*>(address()); }
  bool written_outside() const {
    auto written = [](const char* watched) {
      return std::any_of(watched, watched + kWatched, [](char c) { return c != 0; });
    };
    return written(begin() - kWatched) || written(begin() + size());
  }

  char* block_;
};

/// The default stream.
class InPlaceStream : public Stream {
 public:
  explicit InPlaceStream(CpuState& state) : state_(state) {}

  bool in_place() const override { return true; }
  void run(const Executable& executable, const Invocation& invocation) override {
    device::run(state_, static_cast<const CpuExecutable&>(executable), invocation);
  }
  std::shared_ptr<Event> record() override { return over_; }
  void wait(std::shared_ptr<Event> event) override {
    while (!event->wait_for(std::chrono::hours(1))) continue;
  }

 private:
  CpuState& state_;
  const std::shared_ptr<QueueEvent> over_ = std::make_shared<QueueEvent>(true);
};

class CpuDevice : public Device {
 public:
  explicit CpuDevice(const DeviceOptions& options)
      : Device({.arch = "cpu", .host_memory = true}),
        pool_(options.threads, options.warn),
        state_{pool_, options.random_seed} {}

  std::string name() const override {
    const int threads = pool_.threads();
    return processor() + (threads == 1 ? ", 1 thread" : ", " + std::to_string(threads) + " threads");
  }
  const codegen::Target& target() const override { return codegen::host_target(); }
  std::shared_ptr<Memory> allocate(size_t size) override { return std::make_shared<HostMemory>(size); }
  std::unique_ptr<Executable> load(const codegen::Binary& binary, const ir::Kernel& kernel) override {
    return std::make_unique<CpuExecutable>(binary, kernel);
  }
  Stream& stream() override { return stream_; }
  std::unique_ptr<Stream> new_stream() override {
    // Each stream draws random numbers of its own, independent of other streams.
    uint64_t seed = state_.random_seed + ++streams_;
    return std::make_unique<QueueStream>(pool_, next_seed(seed));
  }

 private:
  ThreadPool pool_;
  CpuState state_;
  InPlaceStream stream_{state_};
  std::atomic<uint64_t> streams_ = 0;
};

}  // namespace

std::unique_ptr<Device> cpu_device(const DeviceOptions& options) { return std::make_unique<CpuDevice>(options); }

std::vector<DeviceInfo> cpu_devices() {
  const std::string compiler = codegen::version();
  DeviceInfo info{.name = processor(), .type = "cpu", .features = ir::kAllFeatures};
  info.driver = compiler.substr(0, compiler.find(' ', compiler.find(' ') + 1));  // "LLVM 19.1.7"
  info.memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  return {info};
}

}  // namespace qd::device
