// Composes the device from the parts of a GPU.
#include "runtime/device/gpu/gpu_device.h"

#include <map>
#include <mutex>
#include <utility>

#include "runtime/device/gpu/gpu_exchange.h"
#include "runtime/device/gpu/gpu_executable.h"
#include "runtime/device/gpu/gpu_memory.h"
#include "runtime/device/gpu/gpu_stream.h"
#include "runtime/device/host_threads.h"
#include "runtime/device/seeds.h"

namespace qd::device::gpu {
namespace {

/// The target of a GPU: one for each kind, which lives as long as the process.
const codegen::Target& target_of(const Gpu& gpu) {
  if (gpu.driver().simulated_target) return *gpu.driver().simulated_target(gpu.driver().is_hip ? "hip" : "cuda");
  static std::mutex mutex;
  static auto& targets = *new std::map<std::string, std::unique_ptr<codegen::Target>>;
  auto target = gpu.kind().target(gpu.properties(), gpu.stack_bytes());
  const std::lock_guard lock(mutex);
  return *targets.try_emplace(target->compiler() + target->processor(), std::move(target)).first->second;
}

Capabilities capabilities_of(const Gpu& gpu) {
  const Properties& properties = gpu.properties();
  return {.arch = gpu.driver().arch,
          .features = gpu.kind().features,
          .host_memory = false,
          .subgroup_size = static_cast<int>(properties.subgroup_size),
          .claims = false,
          .blocks = {.threads = properties.max_threads,
                     .shared_bytes = properties.shared_bytes,
                     .wide_atomics = true,
                     .threads_name = "threads per block",
                     .shared_bytes_name = "bytes of shared memory per block",
                     .wide_atomics_name = {}}};
}

/// The streams of a device, for threads that wait for all of them. Thread-safe.
class AllStreams {
 public:
  void add(const GpuStream& stream) {
    const std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](const auto& known) { return known.expired(); });
    streams_.push_back(stream.work());
  }
  void wait() {
    std::vector<std::shared_ptr<StreamWork>> all;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& known : streams_) {
        if (auto stream = known.lock()) all.push_back(std::move(stream));
      }
    }
    for (const auto& stream : all) stream->wait();
  }

 private:
  std::mutex mutex_;  // of `streams_`
  std::vector<std::weak_ptr<StreamWork>> streams_;
};

class GpuDevice : public Device {
 public:
  GpuDevice(std::shared_ptr<Gpu> gpu, const DeviceOptions& options)
      : Device(capabilities_of(*gpu)),
        gpu_(std::move(gpu)),
        target_(target_of(*gpu_)),
        events_(std::make_shared<EventPool>(gpu_)),
        buffers_(std::make_shared<LaunchBufferPool>(gpu_)),
        conditions_(std::make_shared<GraphConditions>(gpu_, target_)),
        limit_(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(options.timeout))),
        seed_(options.random_seed),
        exchange_(events_),
        stream_(events_, seed_, limit_) {
    streams_->add(stream_);
  }

  std::string name() const override { return gpu_->properties().name; }
  const codegen::Target& target() const override { return target_; }
  std::shared_ptr<Memory> allocate(size_t size) override {
    return GpuMemory::make(gpu_, size, [streams = streams_, forks = fork_count()] {
      if (forks == fork_count()) streams->wait();  // no launch ends in the child of a fork
    });
  }
  std::unique_ptr<Executable> load(const codegen::Binary& binary, const ir::Kernel& kernel) override {
    return std::make_unique<GpuExecutable>(gpu_, buffers_, conditions_, binary, kernel);
  }
  Stream& stream() override { return stream_; }
  Exchange* exchange() override { return &exchange_; }
  std::unique_ptr<Stream> new_stream() override {
    // Each stream draws random numbers of its own, independent of other streams.
    uint64_t seed = seed_ + ++made_;
    auto stream = std::make_unique<GpuStream>(events_, next_seed(seed), limit_);
    streams_->add(*stream);
    return stream;
  }

 private:
  const std::shared_ptr<Gpu> gpu_;
  const codegen::Target& target_;
  const std::shared_ptr<EventPool> events_;
  const std::shared_ptr<LaunchBufferPool> buffers_;
  const std::shared_ptr<GraphConditions> conditions_;
  const std::chrono::nanoseconds limit_;
  const uint64_t seed_;
  const std::shared_ptr<AllStreams> streams_ = std::make_shared<AllStreams>();
  GpuExchange exchange_;
  GpuStream stream_;
  std::atomic<uint64_t> made_ = 0;
};

}  // namespace

std::unique_ptr<Device> device(const Kind& kind, const DeviceOptions& options) {
  return std::make_unique<GpuDevice>(Gpu::open(kind, options), options);
}

std::string why_not(const Kind& kind, const std::string& wanted) {
  try {
    (void)choose(kind, wanted);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::vector<DeviceInfo> devices(const Kind& kind) {
  const Driver& driver = kind.driver();
  int count = 0, version = 0;
  Result result = driver.device_count(&count);
  if (result != kSuccess) throw NotAvailable(driver.arch, CallFailed(driver, "device_count", result, {}).what());
  driver.driver_version(&version);
  std::vector<DeviceInfo> found;
  for (int number = 0; number < count; ++number) {
    const Properties known = kind.properties(driver, number);
    found.push_back({.name = known.name,
                     .type = known.is_integrated ? "integrated gpu" : "discrete gpu",
                     .driver = driver.library,
                     .api = kind.api_version(version),
                     .memory = known.memory,
                     .subgroup_size = known.subgroup_size,
                     .features = kind.features,
                     .lacks = kind.lacks(known)});
  }
  return found;
}

}  // namespace qd::device::gpu
