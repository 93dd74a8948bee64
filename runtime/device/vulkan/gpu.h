// An opened device: state that its memory, code and streams share.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/vulkan/heap.h"
#include "runtime/device/vulkan/physical_device.h"
#include "runtime/device/vulkan/volk.h"

namespace qd::device::vulkan {

/// The opened device. Thread-safe. Memory, code and streams keep it alive. In the child of a fork, and when the device
/// is lost, nothing of it may be used or destroyed any more (`usable`): its remains are left behind.
class Gpu {
 public:
  /// The device that the options want. Throws NotAvailable.
  static std::shared_ptr<Gpu> open(const DeviceOptions& options);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const PhysicalDevice& physical() const { return physical_; }
  VkDevice device() const { return device_; }
  /// Layout of pipelines with so many storage buffers, which are bindings of set 0 and are pushed; all code has the
  /// push constants. Throws std::runtime_error.
  VkPipelineLayout layout(size_t buffers);
  const KeptBytes& kept() const { return kept_; }
  Heap& heap() { return *heap_; }

  /// Submits to queue `number` modulo the number of queues.
  void submit(uint32_t number, const VkSubmitInfo& info);
  /// Copies between pieces of the heap, and waits for the copy.
  void copy(const Piece& from, const Piece& to, size_t size);
  /// Fills a piece with zeros, and waits.
  void clear(const Piece& piece, size_t size);

  /// A number for a stream.
  uint32_t next_stream() { return streams_++; }

  /// Marks the device as lost: it does not answer, or has said so.
  void lose(const std::string& reason);
  /// The reason why the device is lost; empty when it is not.
  std::string lost() const;
  /// Error message of a lost device for users: the reason, and a remedy.
  std::string lost_error() const;
  bool usable() const;

  const VolkDeviceTable vk;

 private:
  Gpu(PhysicalDevice physical, VkDevice device, const VolkDeviceTable& table, KeptBytes kept);
  /// Records commands and waits until they have run.
  void run_now(const std::function<void(VkCommandBuffer)>& record);

  const PhysicalDevice physical_;
  const VkDevice device_;
  const KeptBytes kept_;
  const uint64_t forks_;
  struct Layout {
    VkDescriptorSetLayout set = VK_NULL_HANDLE;
    VkPipelineLayout pipeline = VK_NULL_HANDLE;
  };
  std::mutex layout_mutex_;  // of `layouts_`
  std::map<size_t, Layout> layouts_;
  struct Queue {
    VkQueue handle = VK_NULL_HANDLE;
    std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();
  };
  std::vector<Queue> queues_;
  std::unique_ptr<Heap> heap_;
  std::atomic<uint32_t> streams_ = 0;

  std::mutex copy_mutex_;  // guards the members below
  VkCommandPool copy_pool_ = VK_NULL_HANDLE;
  VkCommandBuffer copy_commands_ = VK_NULL_HANDLE;
  VkFence copy_over_ = VK_NULL_HANDLE;

  std::atomic<bool> is_lost_ = false;
  mutable std::mutex lost_mutex_;  // of `lost_`
  std::string lost_;
};

}  // namespace qd::device::vulkan
