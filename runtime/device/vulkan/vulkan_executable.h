// Loaded SPIR-V code of one kernel: a pipeline for each task, with what the host must know to run it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/vulkan/gpu.h"
#include "runtime/device/vulkan/launch_room.h"

namespace qd::device::vulkan {

class VulkanExecutable : public Executable {
 public:
  /// Throws std::runtime_error.
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
    bool parallel = false;
    bool loops = false;             // iterations have loops
    bool blocks = false;            // groups are blocks of threads
    std::vector<ir::Bound> bounds;  // as in ir::Task, like the fields that follow
    uint32_t start_counter = ir::kNoCounter;
    uint32_t trip_counter = ir::kNoCounter;
  };
  const std::string& name() const { return name_; }
  const std::vector<LoadedTask>& tasks() const { return tasks_; }
  /// Whether there are tasks that reach arrays through storage buffers.
  bool binds() const { return binds_; }
  /// A pipeline of the task that reaches all arrays by their addresses, with Gpu::layout(0). It is made by the first
  /// call. Throws std::runtime_error. Thread-safe.
  VkPipeline by_addresses(size_t task) const;
  /// The storage buffer for an array of a launch; nothing when it is too large for one, or begins at an odd place.
  std::optional<VkDescriptorBufferInfo> buffer_of(uint32_t array, const ArraySlot& slot) const;
  Gpu& gpu() const { return *gpu_; }
  const ir::Schedule& schedule() const { return schedule_; }
  /// Whether the host has to read conditions while a launch runs.
  bool has_conditions() const { return has_conditions_; }
  /// Whether a temp is 0 or 1 behind each write: what is written are truth values.
  bool is_truth(uint32_t temp) const { return truths_[temp]; }
  /// Whether the host counts starts of tasks, or their iterations.
  bool counts_starts() const { return counts_starts_; }
  /// Whether asserts can fail, and tasks come behind them.
  bool may_stop() const { return may_stop_; }
  const RoomLayout& room_layout() const { return room_layout_; }
  uint32_t kept_temps() const { return kept_temps_; }
  uint32_t begin_counter() const { return begin_counter_; }
  uint32_t end_counter() const { return end_counter_; }
  /// What is wrong when the driver has ended loops of a launch.
  std::string loops_ended_error() const;
  /// Whether a counter has bits to set, not a number to add to.
  bool is_record(uint32_t counter) const { return records_[counter]; }
  /// Whether this is the first call for this format.
  bool first_warning(uint32_t format) const { return !warned_[format].exchange(true); }

  /// Memory for a launch, which has been in use before if there is such. Throws std::bad_alloc.
  Piece take_room() const;
  void give_back(const Piece& room) const;

 private:
  VkPipeline make_pipeline(const std::vector<uint32_t>& words, VkPipelineLayout layout, VkPipelineCache cache) const;

  const std::shared_ptr<Gpu> gpu_;
  const std::string name_;
  std::vector<LoadedTask> tasks_;
  bool binds_ = false;
  std::vector<ir::Array> arrays_;
  ir::Schedule schedule_;
  bool has_conditions_ = false;
  std::vector<bool> truths_;  // by temp
  bool counts_starts_ = false;
  bool may_stop_ = false;
  RoomLayout room_layout_;
  uint32_t kept_temps_, begin_counter_, end_counter_;
  std::vector<bool> records_;                    // by counter
  std::unique_ptr<std::atomic<bool>[]> warned_;  // by format
  mutable std::mutex mutex_;                     // of what follows
  mutable std::vector<Piece> rooms_;             // those that no launch has
  struct ByAddresses {
    std::vector<uint32_t> words;  // of the module; empty: the task binds nothing
    VkPipeline pipeline = VK_NULL_HANDLE;
  };
  mutable std::mutex by_addresses_mutex_;  // of what follows
  mutable std::vector<ByAddresses> by_addresses_;
};

}  // namespace qd::device::vulkan
