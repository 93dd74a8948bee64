// Memory for launches, on the host and on the device side by side.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {

/// A piece of the device's memory, and one of the host's that does not move.
struct Room {
  std::byte* host = nullptr;
  Address device = 0;
  size_t host_size = 0, device_size = 0;
};

/// Pool of rooms; small ones are cut from large pieces of memory. Thread-safe.
class RoomPool {
 public:
  explicit RoomPool(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}
  ~RoomPool();
  RoomPool(const RoomPool&) = delete;
  RoomPool& operator=(const RoomPool&) = delete;

  /// Takes a room of at least these sizes, in bytes. Throws OutOfMemory, CallFailed.
  Room take(size_t host_size, size_t device_size);
  /// Gives a room back. Not while the device may use it.
  void give_back(const Room& room);

 private:
  Room make(size_t host_size, size_t device_size);
  void cut(size_t size, std::vector<Room>& free);

  const std::shared_ptr<Gpu> gpu_;
  std::mutex mutex_;  // guards the members below
  std::map<std::pair<size_t, size_t>, std::vector<Room>> free_;
  std::vector<Room> pieces_;  // all that the driver has given
};

}  // namespace qd::device::gpu
