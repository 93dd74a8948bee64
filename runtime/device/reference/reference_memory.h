// Memory that the host reaches only while it is mapped, like the memory of a GPU.
#pragma once

#include <atomic>
#include <functional>

#include "runtime/device/device.h"

namespace qd::device {

/// Memory at two addresses, with the same pages. Code reaches them at address() at any time. The host reaches them at
/// another address, which faults unless the memory is mapped.
class ReferenceMemory : public Memory {
 public:
  /// Maps the pages. `wait` waits for all work of the device, or does nothing once it is gone. Throws std::bad_alloc.
  ReferenceMemory(size_t size, std::function<void()> wait);
  ~ReferenceMemory() override;

  void* map(Access access) override;
  void* host_address() override { return pages_.of_host; }
  void unmap() override;

 private:
  struct Pages {
    void* of_device;
    void* of_host;
    size_t size;
  };
  static Pages two_mappings(size_t size);
  ReferenceMemory(size_t size, const Pages& pages, std::function<void()> wait);

  const Pages pages_;
  const std::function<void()> wait_;
};

}  // namespace qd::device
