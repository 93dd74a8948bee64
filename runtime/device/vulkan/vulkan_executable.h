// Loaded SPIR-V code of one kernel: a pipeline for each task, with the properties that the host needs to run it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/launches/loaded_kernel.h"
#include "runtime/device/vulkan/gpu.h"

namespace qd::device::vulkan {

class VulkanExecutable : public Executable {
 public:
  /// Loads the code. Throws std::runtime_error.
  VulkanExecutable(std::shared_ptr<Gpu> gpu, const codegen::Binary& binary, const ir::Kernel& kernel);
  ~VulkanExecutable() override;
  VulkanExecutable(const VulkanExecutable&) = delete;
  VulkanExecutable& operator=(const VulkanExecutable&) = delete;

  struct LoadedTask {
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    std::vector<uint32_t> bound;  // the arrays that the pipeline reaches through storage buffers, by binding
    uint32_t local_size = 1;
    bool draws = false;  // random numbers
  };
  const LoadedKernel& kernel() const { return kernel_; }
  const std::vector<LoadedTask>& tasks() const { return tasks_; }
  /// Whether there are tasks that reach arrays through storage buffers.
  bool binds() const { return binds_; }
  /// A pipeline of the task that reaches all arrays by their addresses, with Gpu::layout(0). It is made by the first
  /// call. Throws std::runtime_error. Thread-safe.
  VkPipeline by_addresses(size_t task) const;
  /// The storage buffer for an array of a launch; nothing when it is too large for one, or begins at an odd place.
  std::optional<VkDescriptorBufferInfo> buffer_of(uint32_t array, const ArraySlot& slot) const;
  /// The address of the constants for Picks; 0: there are none.
  uint64_t tables() const { return tables_.block ? tables_.address() : 0; }
  Gpu& gpu() const { return *gpu_; }
  /// Error message when the driver has ended loops of a launch.
  std::string loops_ended_error() const;
  /// Memory for a launch; memory that has been in use before is taken first. Throws std::bad_alloc.
  Piece take_buffer() const;
  void give_back(const Piece& buffer) const;

 private:
  VkPipeline make_pipeline(const std::vector<uint32_t>& words, VkPipelineLayout layout, VkPipelineCache cache) const;

  const std::shared_ptr<Gpu> gpu_;
  const LoadedKernel kernel_;
  std::vector<LoadedTask> tasks_;
  Piece tables_;
  bool binds_ = false;
  std::vector<ir::Array> arrays_;
  mutable std::mutex mutex_;            // guards the members below
  mutable std::vector<Piece> buffers_;  // those that no launch has
  struct ByAddresses {
    std::vector<uint32_t> words;  // of the module; empty: the task binds nothing
    VkPipeline pipeline = VK_NULL_HANDLE;
  };
  mutable std::mutex by_addresses_mutex_;  // guards the members below
  mutable std::vector<ByAddresses> by_addresses_;
};

}  // namespace qd::device::vulkan
