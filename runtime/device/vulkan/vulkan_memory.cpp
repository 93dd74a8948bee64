// A piece of the heap, and another one for the host if it does not reach the first.
#include "runtime/device/vulkan/vulkan_memory.h"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace qd::device::vulkan {

std::shared_ptr<VulkanMemory> VulkanMemory::make(std::shared_ptr<Gpu> gpu, size_t size, std::function<void()> wait) {
  if (!gpu->usable()) throw std::runtime_error(gpu->lost_error());
  const Piece piece = gpu->heap().allocate(size, MemoryKind::Own);
  if (piece.host()) {
    std::memset(piece.host(), 0, size);
  } else {
    gpu->clear(piece, piece.size);
  }
  return std::shared_ptr<VulkanMemory>(new VulkanMemory(std::move(gpu), size, piece, std::move(wait)));
}

VulkanMemory::VulkanMemory(std::shared_ptr<Gpu> gpu, size_t size, Piece piece, std::function<void()> wait)
    : Memory(size, reinterpret_cast<void*>(piece.address())),
      gpu_(std::move(gpu)),
      piece_(piece),
      wait_(std::move(wait)) {}

VulkanMemory::~VulkanMemory() {
  if (!gpu_->usable()) return;
  gpu_->heap().free(piece_);
  if (copy_) gpu_->heap().free(*copy_);
}

void* VulkanMemory::map(Access access) {
  wait_();
  if (piece_.host()) return piece_.host();
  void* host = host_address();
  std::lock_guard lock(mutex_);
  if (!mapped_) gpu_->copy(piece_, *copy_, size());
  mapped_ = true;
  written_ |= access == Access::Write;
  return host;
}

void* VulkanMemory::host_address() {
  if (piece_.host()) return piece_.host();
  std::lock_guard lock(mutex_);
  if (!copy_) copy_ = gpu_->heap().allocate(size(), MemoryKind::Shared);
  return copy_->host();
}

void VulkanMemory::unmap() {
  if (piece_.host()) return;
  std::lock_guard lock(mutex_);
  if (written_) gpu_->copy(*copy_, piece_, size());
  mapped_ = written_ = false;
}

}  // namespace qd::device::vulkan
