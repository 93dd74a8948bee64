#include "runtime/launch/launch_record.h"

#include <algorithm>

namespace qd {

std::shared_ptr<device::Memory> LaunchRecord::add(uint32_t number, size_t bytes, device::Device& device) {
  Recorded& recorded = arrays_[number];
  recorded = {device.allocate(std::max<size_t>(1, bytes)), bytes};
  return recorded.memory;
}

std::shared_ptr<device::Memory> LaunchRecord::find(uint32_t number, size_t bytes) const {
  const auto found = arrays_.find(number);
  return found == arrays_.end() || found->second.bytes != bytes ? nullptr : found->second.memory;
}

}  // namespace qd
