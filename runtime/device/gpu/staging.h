// Staging: copies between a GPU and pageable memory of the host, in pieces through page-locked memory.
#pragma once

#include <array>
#include <cstddef>

#include "runtime/device/gpu/driver.h"

namespace qd::device::gpu {

class Gpu;

/// Two buffers: the host copies one piece while the device copies the other. Belongs to a Gpu, whose context is current
/// in all calls. One thread at a time.
class Staging {
 public:
  explicit Staging(Gpu& gpu) : gpu_(gpu) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  /// Frees the buffers. To be called while the context is alive.
  void free();

  /// Copies, and returns when the copy is done. Throws CallFailed.
  void copy(Address to, const void* from, size_t size, Handle stream);
  void copy(void* to, Address from, size_t size, Handle stream);

 private:
  bool allocate();
  void wait(Handle stream);

  Gpu& gpu_;
  std::array<std::byte*, 2> pieces_ = {};
  bool refused_ = false;  // the driver gives no page-locked memory
};

}  // namespace qd::device::gpu
