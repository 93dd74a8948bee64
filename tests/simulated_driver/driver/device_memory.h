// The memory of a device: addresses of this process that only the device's threads can use.
//
// Each allocation lies at the end of a slot of pages, behind which a page faults. Slots have sizes of powers of two.
// Small ones are opened once and used again; the pages of larger ones are given back and fault until they are used
// again. All freed slots of a size wait in a queue, so an address comes back late. New memory holds 0xCD, freed memory
// 0xDD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "tests/simulated_driver/checks/memory_map.h"

namespace qd::simulated {

class DeviceMemory {
 public:
  explicit DeviceMemory(uint64_t limit);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Nothing: there is no memory left.
  std::optional<uint64_t> allocate(uint64_t bytes);
  /// False: no live allocation begins there.
  bool free(uint64_t address);
  /// Whether a range lies within one live allocation.
  bool holds(uint64_t address, uint64_t bytes) const;
  /// Whether a live allocation begins there.
  bool begins(uint64_t address) const { return live_.contains(address); }
  /// Whether the address is one of this device, live or not.
  bool contains(uint64_t address) const { return address - base_ < reserved_; }
  MemoryMap map() const;
  uint64_t limit() const { return limit_; }
  uint64_t used() const { return used_; }
  size_t live() const { return live_.size(); }

 private:
  struct Allocation {
    uint64_t bytes, slot;
    unsigned size_class;
  };
  uint64_t slot_bytes(unsigned size_class) const { return uint64_t{kPage} << size_class; }
  std::optional<uint64_t> take_slot(unsigned size_class);

  static constexpr uint64_t kPage = 4096;
  static constexpr unsigned kClasses = 40;
  uint64_t limit_, used_ = 0;
  uint64_t base_ = 0, reserved_ = 0, next_ = 0;
  size_t slots_ = 0;
  std::map<uint64_t, Allocation> live_;
  std::deque<uint64_t> freed_[kClasses];
};

}  // namespace qd::simulated
