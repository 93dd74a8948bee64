#include "tests/simulated_driver/checks/memory_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace qd::simulated {

const std::pair<uint64_t, uint64_t>* MemoryMap::before(uint64_t address) const {
  const auto after = std::ranges::upper_bound(allocations, address, {}, &std::pair<uint64_t, uint64_t>::first);
  return after == allocations.begin() ? nullptr : &*std::prev(after);
}

std::optional<std::string> MemoryMap::fault(uint64_t address, uint64_t size) const {
  if (!contains(address)) return std::nullopt;
  const auto* allocation = before(address);
  const auto* next = allocation ? allocation + 1 : allocations.data();
  const uint64_t offset = allocation ? address - allocation->first : 0;
  if (allocation && offset < allocation->second && size <= allocation->second - offset) return std::nullopt;
  const bool has_next = next != allocations.data() + allocations.size();
  if (allocation && (!has_next || offset - allocation->second <= next->first - address))
    return fmt::format("outside of memory, {} bytes behind the begin of an allocation of {}", offset,
                       allocation->second);
  if (has_next)
    return fmt::format("outside of memory, {} bytes before an allocation of {}", next->first - address, next->second);
  return "outside of memory";
}

std::string MemoryMap::place(uint64_t address) const {
  const auto* allocation = contains(address) ? before(address) : nullptr;
  if (!allocation) return "memory of the host";
  return fmt::format("byte {} of an allocation of {}", address - allocation->first, allocation->second);
}

}  // namespace qd::simulated
