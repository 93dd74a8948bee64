// Memory that the host reaches only while it is mapped, as that of a device on the other side of a bus.
#pragma once

#include <atomic>
#include <functional>

#include "runtime/device/device.h"

namespace qd::device {

/// The same pages in two places: code reaches them at address() at any time, the host at another place that faults
/// unless the memory is mapped.
class ReferenceMemory : public Memory {
 public:
  /// `wait`: for all work of the device; empty once that is gone. Throws std::bad_alloc.
  ReferenceMemory(size_t size, std::function<void()> wait);
  ~ReferenceMemory() override;

  void* map(Access access) override;
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
