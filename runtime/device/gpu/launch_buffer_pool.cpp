#include "runtime/device/gpu/launch_buffer_pool.h"

#include <algorithm>
#include <bit>

namespace qd::device::gpu {
namespace {

constexpr size_t kLeast = 256;
/// Largest size of a buffer, in bytes, that is cut from pieces.
constexpr size_t kSmall = 16 << 10;
constexpr size_t kPiece = 256 << 10;

}  // namespace

LaunchBufferPool::~LaunchBufferPool() {
  for (const HostDevicePair& piece : pieces_) {
    gpu_->free_host(piece.host);
    gpu_->free(piece.device, piece.device_size);
  }
}

HostDevicePair LaunchBufferPool::make(size_t host_size, size_t device_size) {
  HostDevicePair buffer{nullptr, 0, host_size, device_size};
  buffer.host = gpu_->allocate_host(host_size);
  try {
    buffer.device = gpu_->allocate(device_size);
  } catch (...) {
    gpu_->free_host(buffer.host);
    throw;
  }
  pieces_.push_back(buffer);
  return buffer;
}

void LaunchBufferPool::cut(size_t size, std::vector<HostDevicePair>& free) {
  const HostDevicePair piece = make(kPiece, kPiece);
  for (size_t begin = 0; begin + size <= kPiece; begin += size)
    free.push_back({piece.host + begin, piece.device + begin, size, size});
  std::ranges::reverse(free);
}

HostDevicePair LaunchBufferPool::take(size_t host_size, size_t device_size) {
  size_t host = std::bit_ceil(std::max(host_size, kLeast)), device = std::bit_ceil(std::max(device_size, kLeast));
  const bool small = std::max(host, device) <= kSmall;
  if (small) host = device = std::max(host, device);
  const std::lock_guard lock(mutex_);
  std::vector<HostDevicePair>& free = free_[{host, device}];
  if (free.empty() && small) cut(host, free);
  if (free.empty()) return make(host, device);
  const HostDevicePair buffer = free.back();
  free.pop_back();
  return buffer;
}

void LaunchBufferPool::give_back(const HostDevicePair& buffer) {
  const std::lock_guard lock(mutex_);
  free_[{buffer.host_size, buffer.device_size}].push_back(buffer);
}

}  // namespace qd::device::gpu
