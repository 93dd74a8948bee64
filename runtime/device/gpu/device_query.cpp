#include <fmt/format.h>

#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {

DeviceQuery::DeviceQuery(const Driver& driver, int number) : driver_(driver), number_(number) {
  require("device_get", driver_.device_get(&device_, number_));
}

void DeviceQuery::require(const char* field, Result result) const {
  if (result != kSuccess) throw CallFailed(driver_, field, result, fmt::format("GPU {}", number_));
}

int DeviceQuery::attribute(int which) const {
  int value = 0;
  require("device_attribute", driver_.device_attribute(&value, which, device_));
  return value;
}

Properties DeviceQuery::properties(const Attributes& attributes) const {
  char name[256] = {};
  require("device_name", driver_.device_name(name, sizeof name - 1, device_));
  size_t memory = 0;
  require("device_memory", driver_.device_memory(&memory, device_));
  return {.number = number_,
          .name = name,
          .subgroup_size = static_cast<uint32_t>(attribute(attributes.subgroup_size)),
          .max_threads = static_cast<uint32_t>(attribute(attributes.max_threads)),
          .shared_bytes = static_cast<uint32_t>(attribute(attributes.shared_bytes)),
          .multiprocessors = static_cast<uint32_t>(attribute(attributes.multiprocessors)),
          .memory = memory,
          .is_integrated = attribute(attributes.integrated) != 0,
          .has_pools = attribute(attributes.pools) != 0};
}

}  // namespace qd::device::gpu
