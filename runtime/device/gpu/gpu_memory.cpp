// Small copies lie in memory that does not move, from and to which the driver copies at once. Such memory is dear to
// take, so large copies lie in ordinary memory.
#include "runtime/device/gpu/gpu_memory.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace qd::device::gpu {
namespace {

constexpr size_t kMostPinned = 1 << 20;
constexpr size_t kAlignment = 64;

}  // namespace

std::shared_ptr<GpuMemory> GpuMemory::make(std::shared_ptr<Gpu> gpu, size_t size, std::function<void()> wait) {
  if (!gpu->usable()) throw std::runtime_error(gpu->lost_error());
  const Address address = gpu->allocate(size);
  try {
    gpu->clear_now(address, size);
  } catch (...) {
    gpu->free(address, size);
    throw;
  }
  return std::shared_ptr<GpuMemory>(new GpuMemory(std::move(gpu), size, address, std::move(wait)));
}

GpuMemory::GpuMemory(std::shared_ptr<Gpu> gpu, size_t size, Address address, std::function<void()> wait)
    : Memory(size, reinterpret_cast<void*>(address)), gpu_(std::move(gpu)), own_(address), wait_(std::move(wait)) {}

GpuMemory::~GpuMemory() {
  gpu_->free(own_, size());
  if (copy_is_pinned_) {
    gpu_->free_host(copy_);
  } else {
    std::free(copy_);
  }
}

void* GpuMemory::map(Access access) {
  wait_();
  const std::lock_guard lock(mutex_);
  if (!copy_) {
    copy_is_pinned_ = size() <= kMostPinned && gpu_->usable();
    copy_ = copy_is_pinned_
                ? gpu_->allocate_host(std::max<size_t>(size(), 1))
                : static_cast<std::byte*>(std::aligned_alloc(kAlignment, (size() / kAlignment + 1) * kAlignment));
    if (!copy_) throw std::bad_alloc();
    if (!gpu_->usable()) std::memset(copy_, 0, size());
  }
  if (!mapped_) gpu_->copy_now(copy_, own_, size());
  mapped_ = true;
  written_ |= access == Access::Write;
  return copy_;
}

void GpuMemory::unmap() {
  const std::lock_guard lock(mutex_);
  if (written_) gpu_->copy_now(own_, copy_, size());
  mapped_ = written_ = false;
}

}  // namespace qd::device::gpu
