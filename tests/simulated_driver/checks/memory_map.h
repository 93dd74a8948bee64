// Map of a device's memory: the live allocations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace qd::simulated {

struct MemoryMap {
  uint64_t begin = 0, bytes = 0;                           // in which allocations lie
  std::vector<std::pair<uint64_t, uint64_t>> allocations;  // begin and bytes, sorted

  bool contains(uint64_t address) const { return address - begin < bytes; }
  /// The fault of an access; nothing, if it lies within an allocation, or is not to this device's memory.
  std::optional<std::string> fault(uint64_t address, uint64_t size) const;
  /// "byte 4 of an allocation of 400".
  std::string place(uint64_t address) const;

 private:
  /// The last allocation that does not begin behind the address; null: there is none.
  const std::pair<uint64_t, uint64_t>* before(uint64_t address) const;
};

}  // namespace qd::simulated
