// Merges overlapping ranges of bytes. Each merged range is copied once, but for the parts that are copied back.
#include "runtime/launch/staged_arrays.h"

#include <algorithm>
#include <cstring>

namespace qd {
namespace {

size_t bytes_of(const ArrayView& view) {
  size_t bytes = static_cast<size_t>(ir::size_in_bytes(view.type));
  for (int32_t axis = 0; axis < view.rank; ++axis) bytes *= static_cast<size_t>(view.shape[axis]);
  return bytes;
}

}  // namespace

StagedArrays::StagedArrays(device::Device& device, const std::vector<Staged>& arrays,
                           std::vector<std::shared_ptr<device::Memory>>& memories) {
  for (const auto& [view, slot] : arrays) {
    char *begin = static_cast<char*>(view->data), *end = begin + bytes_of(*view);
    copies_.push_back({begin, end, nullptr});
    if (!view->read_only) writable_.push_back({begin, end});
  }
  std::ranges::sort(copies_, {}, &Copy::begin);
  size_t kept = 0;
  for (size_t i = 1; i < copies_.size(); ++i) {
    if (copies_[i].begin < copies_[kept].end) {
      copies_[kept].end = std::max(copies_[kept].end, copies_[i].end);
    } else {
      copies_[++kept] = copies_[i];
    }
  }
  if (!copies_.empty()) copies_.resize(kept + 1);
  for (Copy& copy : copies_) {
    const auto size = static_cast<size_t>(copy.end - copy.begin);
    copy.memory = device.allocate(std::max<size_t>(1, size));
    if (size > 0) std::memcpy(copy.memory->map(device::Memory::Access::Write), copy.begin, size);
    memories.push_back(copy.memory);
  }
  for (const auto& [view, slot] : arrays) {
    char* data = static_cast<char*>(slot->data);
    const auto copy = std::prev(std::ranges::upper_bound(copies_, data, {}, &Copy::begin));
    slot->data = static_cast<char*>(copy->memory->address()) + (data - copy->begin);
  }
}

void StagedArrays::copy_back() {
  for (const Writable& part : writable_) {
    if (part.begin == part.end) continue;
    const auto copy = std::prev(std::ranges::upper_bound(copies_, part.begin, {}, &Copy::begin));
    const auto* from = static_cast<const char*>(copy->memory->map(device::Memory::Access::Read));
    std::memcpy(part.begin, from + (part.begin - copy->begin), static_cast<size_t>(part.end - part.begin));
  }
}

}  // namespace qd
