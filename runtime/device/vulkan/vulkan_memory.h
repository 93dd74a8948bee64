// Memory of arrays and fields on a Vulkan device.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "runtime/device/device.h"
#include "runtime/device/vulkan/gpu.h"

namespace qd::device::vulkan {

/// Memory of the device. If the host does not reach it, there is a copy, which map() and unmap() bring up to date.
class VulkanMemory : public Memory {
 public:
  /// Allocates memory. `wait` waits for all work of the device. Throws std::bad_alloc.
  static std::shared_ptr<VulkanMemory> make(std::shared_ptr<Gpu> gpu, size_t size, std::function<void()> wait);
  ~VulkanMemory() override;

  void* map(Access access) override;
  void* host_address() override;
  void unmap() override;

 private:
  VulkanMemory(std::shared_ptr<Gpu> gpu, size_t size, Piece piece, std::function<void()> wait);

  const std::shared_ptr<Gpu> gpu_;
  const Piece piece_;
  const std::function<void()> wait_;
  std::mutex mutex_;           // guards the members below
  std::optional<Piece> copy_;  // of the host, since it was mapped for the first time
  bool mapped_ = false;
  bool written_ = false;  // the host may write since it was mapped
};

}  // namespace qd::device::vulkan
