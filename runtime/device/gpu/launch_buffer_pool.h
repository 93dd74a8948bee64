// Memory for launches, on the host and on the device side by side.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {

/// A piece of the device's memory, and one of the host's that does not move.
struct HostDevicePair {
  std::byte* host = nullptr;
  Address device = 0;
  size_t host_size = 0, device_size = 0;
};

/// Pool of buffers; small ones are cut from large pieces of memory. Thread-safe.
class LaunchBufferPool {
 public:
  explicit LaunchBufferPool(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}
  ~LaunchBufferPool();
  LaunchBufferPool(const LaunchBufferPool&) = delete;
  LaunchBufferPool& operator=(const LaunchBufferPool&) = delete;

  /// Takes a buffer of at least these sizes, in bytes. Throws OutOfMemory, CallFailed.
  HostDevicePair take(size_t host_size, size_t device_size);
  /// Gives a buffer back. Not while the device may use it.
  void give_back(const HostDevicePair& buffer);

 private:
  HostDevicePair make(size_t host_size, size_t device_size);
  void cut(size_t size, std::vector<HostDevicePair>& free);

  const std::shared_ptr<Gpu> gpu_;
  std::mutex mutex_;  // guards the members below
  std::map<std::pair<size_t, size_t>, std::vector<HostDevicePair>> free_;
  std::vector<HostDevicePair> pieces_;  // all that the driver has given
};

}  // namespace qd::device::gpu
