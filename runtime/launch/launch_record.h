// Record of a launch: old numbers of elements that it overwrites, which its gradient needs (runtime/autodiff/record.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "runtime/device/device.h"

namespace qd {

/// The record of one launch, in memory of its own. Filled by that launch, and read by its gradient. Used by one thread
/// at a time.
class LaunchRecord {
 public:
  /// Whether the launch has recorded nothing: its gradient needs no old number.
  bool empty() const { return arrays_.empty(); }
  /// Memory for an array of the record, of this size. Throws std::bad_alloc.
  std::shared_ptr<device::Memory> add(uint32_t number, size_t bytes, device::Device& device);
  /// The memory of an array; null where the launch has recorded none of this number and size.
  std::shared_ptr<device::Memory> find(uint32_t number, size_t bytes) const;

 private:
  struct Recorded {
    std::shared_ptr<device::Memory> memory;
    size_t bytes = 0;
  };
  std::map<uint32_t, Recorded> arrays_;
};

}  // namespace qd
