// The devices of this computer: their properties, without opening them, and the choice of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/ir/features.h"

namespace qd::device {

struct DeviceInfo {
  std::string name = {};  // for people
  std::string type = {};  // "cpu", "discrete gpu", "integrated gpu", "virtual gpu" or "other"
  std::string driver = {};
  std::string api = {};        // the driver's version of the interface; empty where there is none
  uint64_t memory = 0;         // in bytes
  uint32_t subgroup_size = 0;  // 0: there are no subgroups, or it is unknown
  ir::Features features = 0;
  std::string lacks = {};  // the reason why programs cannot use it; empty: they can
};

/// The device that a program means: by its number among those that there are, or by a part of its name, in which case
/// does not matter. Throws std::invalid_argument that lists those that there are: "there is no device 3; there are 0:
/// llvmpipe, 1: ...".
size_t find_device(std::span<const DeviceInfo> devices, std::string_view wanted);

}  // namespace qd::device
