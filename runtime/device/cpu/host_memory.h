// Memory that the host and its kernels share.
#pragma once

#include "runtime/device/device.h"

namespace qd::device {

class HostMemory : public Memory {
 public:
  /// Allocates zeroed memory. Throws std::bad_alloc.
  explicit HostMemory(size_t size);
  ~HostMemory() override;

  void* map(Access) override { return address(); }
  void* host_address() override { return address(); }
  void unmap() override {}
};

}  // namespace qd::device
