// Composes the device from the parts of a Vulkan device.
#include "runtime/device/vulkan/vulkan_device.h"

#include <map>
#include <mutex>
#include <utility>

#include "runtime/device/host_threads.h"
#include "runtime/device/seeds.h"
#include "runtime/device/vulkan/gpu.h"
#include "runtime/device/vulkan/instance.h"
#include "runtime/device/vulkan/vulkan_executable.h"
#include "runtime/device/vulkan/vulkan_memory.h"
#include "runtime/device/vulkan/vulkan_stream.h"

namespace qd::device {
namespace {

using namespace vulkan;

/// The target of a device: one for each kind, which lives as long as the process.
const codegen::Target& target_of(const codegen::SpirvDevice& device) {
  static std::mutex mutex;
  static auto& targets = *new std::map<std::string, std::unique_ptr<codegen::Target>>;
  auto target = std::make_unique<codegen::SpirvTarget>(device);
  const std::lock_guard lock(mutex);
  return *targets.try_emplace(target->processor(), std::move(target)).first->second;
}

Capabilities capabilities_of(const codegen::SpirvDevice& device) {
  return {.arch = "vulkan",
          .features = device.features,
          .host_memory = false,
          .subgroup_size = static_cast<int>(device.subgroup_size),
          .claims = false,
          .blocks = {.threads = device.max_invocations,
                     .shared_bytes = device.max_shared_bytes,
                     .wide_atomics = device.wide_shared_atomics,
                     .threads_name = "maxComputeWorkGroupInvocations",
                     .shared_bytes_name = "maxComputeSharedMemorySize",
                     .wide_atomics_name = "shaderSharedInt64Atomics"}};
}

class VulkanDevice : public Device {
 public:
  VulkanDevice(std::shared_ptr<Gpu> gpu, const DeviceOptions& options)
      : Device(capabilities_of(gpu->physical().code)),
        gpu_(std::move(gpu)),
        target_(target_of(gpu_->physical().code)),
        limit_(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(options.timeout))),
        seed_(options.random_seed),
        stream_(gpu_, work_->add(), seed_, limit_) {}

  std::string name() const override { return gpu_->physical().name; }
  const codegen::Target& target() const override { return target_; }
  std::shared_ptr<Memory> allocate(size_t size) override {
    return VulkanMemory::make(gpu_, size, [work = work_, forks = fork_count()] {
      if (forks == fork_count()) work->wait();  // no launch ends in the child of a fork
    });
  }
  std::unique_ptr<Executable> load(const codegen::Binary& binary, const ir::Kernel& kernel) override {
    return std::make_unique<VulkanExecutable>(gpu_, binary, kernel);
  }
  Stream& stream() override { return stream_; }
  std::unique_ptr<Stream> new_stream() override {
    // Each stream draws random numbers of its own, independent of other streams.
    uint64_t seed = seed_ + ++streams_;
    return std::make_unique<VulkanStream>(gpu_, work_->add(), next_seed(seed), limit_);
  }

 private:
  const std::shared_ptr<Gpu> gpu_;
  const codegen::Target& target_;
  const std::chrono::nanoseconds limit_;
  const uint64_t seed_;
  const std::shared_ptr<AllWork> work_ = std::make_shared<AllWork>();
  VulkanStream stream_;
  std::atomic<uint64_t> streams_ = 0;
};

}  // namespace

std::unique_ptr<Device> vulkan_device(const DeviceOptions& options) {
  return std::make_unique<VulkanDevice>(Gpu::open(options), options);
}

std::string why_no_vulkan(const std::string& device) {
  try {
    FeatureChain features;
    choose_device(device, features);
    return {};
  } catch (const NotAvailable& error) {
    return error.what();
  }
}

std::vector<DeviceInfo> vulkan_devices() {
  std::vector<DeviceInfo> devices;
  try {
    for (VkPhysicalDevice handle : physical_devices()) devices.push_back(info_of(handle));
  } catch (const NotAvailable&) {  // there is none
  }
  return devices;
}

}  // namespace qd::device
