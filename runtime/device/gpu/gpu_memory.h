// Memory of arrays and fields on a GPU.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {

/// Memory with a copy on the host, updated by map() and unmap(). The copy is not allocated before it is mapped.
class GpuMemory : public Memory {
 public:
  /// Allocates memory. `wait` waits for all work of the device. Throws OutOfMemory, std::runtime_error.
  static std::shared_ptr<GpuMemory> make(std::shared_ptr<Gpu> gpu, size_t size, std::function<void()> wait);
  ~GpuMemory() override;

  void* map(Access access) override;
  void* host_address() override { return copy_; }
  void unmap() override;
  void share() override;
  bool shared() const override { return is_shared_.load(); }

 private:
  GpuMemory(std::shared_ptr<Gpu> gpu, size_t size, Address address, void* copy, std::function<void()> wait);

  const std::shared_ptr<Gpu> gpu_;
  const Address own_;
  void* const copy_;
  const std::function<void()> wait_;
  std::mutex mutex_;  // guards the members below
  bool mapped_ = false;
  bool written_ = false;  // the host may write since it was mapped
  std::atomic<bool> is_shared_ = false;
};

}  // namespace qd::device::gpu
