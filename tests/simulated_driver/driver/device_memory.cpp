#include "tests/simulated_driver/driver/device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "tests/simulated_driver/driver/protection.h"

namespace qd::simulated {
namespace {

constexpr uint64_t kAlignment = 256;
constexpr unsigned kSmallClasses = 5;  // up to 64 KiB
/// Number of an allocation's bytes that are filled; the rest is zero.
constexpr uint64_t kFilled = uint64_t{64} << 20;
/// The kernel has a limit of mappings, 65,530 for a process. With more slots than this there are no pages between them.
constexpr size_t kGuarded = 20'000;
constexpr int kNew = 0xcd, kFreed = 0xdd;

void* pointer(uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

DeviceMemory::DeviceMemory(uint64_t limit) : limit_(limit) {
  // Slots are less than twice as large as what they hold, and different sizes may be wanted one after the other.
  reserved_ = std::max<uint64_t>(8 * limit, uint64_t{1} << 32);
  void* reserved = mmap(nullptr, reserved_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) throw std::bad_alloc();
  madvise(reserved, reserved_, MADV_DONTFORK);
  base_ = next_ = reinterpret_cast<uint64_t>(reserved);
}

DeviceMemory::~DeviceMemory() { munmap(pointer(base_), reserved_); }

std::optional<uint64_t> DeviceMemory::take_slot(unsigned size_class) {
  std::deque<uint64_t>& freed = freed_[size_class];
  const uint64_t bytes = slot_bytes(size_class);
  uint64_t slot = 0;
  if (!freed.empty()) {
    slot = freed.front();
    freed.pop_front();
    if (size_class < kSmallClasses) return slot;
  } else {
    if (next_ + bytes + kPage > base_ + reserved_) return std::nullopt;
    slot = next_;
    next_ += bytes + kPage;
    ++slots_;
  }
  if (make_protected(pointer(slot), slots_ > kGuarded ? bytes + kPage : bytes)) return slot;
  freed.push_back(slot);
  return std::nullopt;
}

std::optional<uint64_t> DeviceMemory::allocate(uint64_t bytes) {
  if (bytes > limit_ - used_) return std::nullopt;
  const uint64_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const auto size_class = static_cast<unsigned>(std::bit_width((rounded - 1) / kPage));
  const std::optional<uint64_t> slot = take_slot(size_class);
  if (!slot) return std::nullopt;
  const uint64_t address = *slot + slot_bytes(size_class) - rounded;
  live_[address] = {bytes, *slot, size_class};
  used_ += bytes;
  const Opened opened;
  std::memset(pointer(address), kNew, std::min(rounded, kFilled));
  return address;
}

bool DeviceMemory::free(uint64_t address) {
  const auto found = live_.find(address);
  if (found == live_.end()) return false;
  const auto [bytes, slot, size_class] = found->second;
  if (size_class < kSmallClasses) {
    const Opened opened;
    std::memset(pointer(slot), kFreed, slot_bytes(size_class));
  } else {
    madvise(pointer(slot), slot_bytes(size_class), MADV_DONTNEED);
    make_inaccessible(pointer(slot), slot_bytes(size_class));
  }
  freed_[size_class].push_back(slot);
  used_ -= bytes;
  live_.erase(found);
  return true;
}

bool DeviceMemory::holds(uint64_t address, uint64_t bytes) const {
  auto after = live_.upper_bound(address);
  if (after == live_.begin()) return false;
  const auto& [begin, allocation] = *std::prev(after);
  const uint64_t offset = address - begin;
  return offset <= allocation.bytes && bytes <= allocation.bytes - offset;
}

MemoryMap DeviceMemory::map() const {
  MemoryMap map{base_, reserved_, {}};
  for (const auto& [begin, allocation] : live_) map.allocations.emplace_back(begin, allocation.bytes);
  return map;
}

}  // namespace qd::simulated
