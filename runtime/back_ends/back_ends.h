// The table of devices that a program can run on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/device.h"

namespace qd::back_ends {

struct Row {
  std::string arch;  // as qd.init(arch=...) names it
  std::function<std::unique_ptr<device::Device>(const device::DeviceOptions&)>
      make;  // throws std::runtime_error that says why there is none
};

/// The names of all devices in the table: those of the build, then those that add() has added.
std::vector<std::string> archs();

/// A device for one program. Throws std::invalid_argument for an arch that nobody knows, std::runtime_error when there
/// is no such device here. Thread-safe.
std::unique_ptr<device::Device> make(std::string_view arch, const device::DeviceOptions& options);

/// Adds a row for a device that is not part of the build. The row replaces one of the same name.
void add(Row row);

}  // namespace qd::back_ends
