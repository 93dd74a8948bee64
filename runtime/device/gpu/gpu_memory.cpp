// The host's copy of the memory: pages that the system allocates when they are touched for the first time.
#include "runtime/device/gpu/gpu_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace qd::device::gpu {
namespace {

size_t mapped_size(size_t size) { return std::max<size_t>(size, 1); }

}  // namespace

std::shared_ptr<GpuMemory> GpuMemory::make(std::shared_ptr<Gpu> gpu, size_t size, std::function<void()> wait) {
  if (!gpu->usable()) throw std::runtime_error(gpu->lost_error());
  void* copy =
      mmap(nullptr, mapped_size(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED) throw std::bad_alloc();
  Address address = 0;
  try {
    address = gpu->allocate(size);
    gpu->clear_now(address, size);
  } catch (...) {
    if (address) gpu->free(address, size);
    munmap(copy, mapped_size(size));
    throw;
  }
  return std::shared_ptr<GpuMemory>(new GpuMemory(std::move(gpu), size, address, copy, std::move(wait)));
}

GpuMemory::GpuMemory(std::shared_ptr<Gpu> gpu, size_t size, Address address, void* copy, std::function<void()> wait)
    : Memory(size, reinterpret_cast<void*>(address)),
      gpu_(std::move(gpu)),
      own_(address),
      copy_(copy),
      wait_(std::move(wait)) {}

GpuMemory::~GpuMemory() {
  gpu_->free(own_, size());
  munmap(copy_, mapped_size(size()));
}

void* GpuMemory::map(Access access) {
  wait_();
  const std::lock_guard lock(mutex_);
  if (is_shared_) gpu_->wait_for_others();
  if (!mapped_ || is_shared_) gpu_->copy_now(copy_, own_, size());
  mapped_ = true;
  written_ |= access == Access::Write;
  return copy_;
}

void GpuMemory::unmap() {
  const std::lock_guard lock(mutex_);
  if (written_) gpu_->copy_now(own_, copy_, size());
  mapped_ = written_ = false;
}

void GpuMemory::share() {
  unmap();
  is_shared_ = true;
}

}  // namespace qd::device::gpu
