#include "runtime/device/gpu/room_pool.h"

#include <algorithm>
#include <bit>

namespace qd::device::gpu {
namespace {

constexpr size_t kLeast = 256;
/// Largest size of a room, in bytes, that is cut from pieces.
constexpr size_t kSmall = 16 << 10;
constexpr size_t kPiece = 256 << 10;

}  // namespace

RoomPool::~RoomPool() {
  for (const Room& piece : pieces_) {
    gpu_->free_host(piece.host);
    gpu_->free(piece.device, piece.device_size);
  }
}

Room RoomPool::make(size_t host_size, size_t device_size) {
  Room room{nullptr, 0, host_size, device_size};
  room.host = gpu_->allocate_host(host_size);
  try {
    room.device = gpu_->allocate(device_size);
  } catch (...) {
    gpu_->free_host(room.host);
    throw;
  }
  pieces_.push_back(room);
  return room;
}

void RoomPool::cut(size_t size, std::vector<Room>& free) {
  const Room piece = make(kPiece, kPiece);
  for (size_t begin = 0; begin + size <= kPiece; begin += size)
    free.push_back({piece.host + begin, piece.device + begin, size, size});
  std::ranges::reverse(free);
}

Room RoomPool::take(size_t host_size, size_t device_size) {
  size_t host = std::bit_ceil(std::max(host_size, kLeast)), device = std::bit_ceil(std::max(device_size, kLeast));
  const bool small = std::max(host, device) <= kSmall;
  if (small) host = device = std::max(host, device);
  const std::lock_guard lock(mutex_);
  std::vector<Room>& free = free_[{host, device}];
  if (free.empty() && small) cut(host, free);
  if (free.empty()) return make(host, device);
  const Room room = free.back();
  free.pop_back();
  return room;
}

void RoomPool::give_back(const Room& room) {
  const std::lock_guard lock(mutex_);
  free_[{room.host_size, room.device_size}].push_back(room);
}

}  // namespace qd::device::gpu
