// The table of devices that a program can run on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/device_info.h"

namespace qd::back_ends {

struct Row {
  std::string arch;  // as qd.init(arch=...) names it
  std::function<std::unique_ptr<device::Device>(const device::DeviceOptions&)>
      make;  // throws std::runtime_error that says why there is none
  /// The reason why there is no such device here (DeviceOptions::device, or empty for any); empty: there is one. Null:
  /// there always is.
  std::function<std::string(const std::string& device)> why_not = nullptr;
  /// The devices in the order of their numbers; empty where there is none. Null: there is no choice.
  std::function<std::vector<device::DeviceInfo>()> devices = nullptr;
};

/// The names of all devices in the table: those of the build, then those that add() has added.
std::vector<std::string> archs();

/// Makes a device for one program. Throws std::invalid_argument for an unknown arch, std::runtime_error when there is
/// no such device here. Thread-safe.
std::unique_ptr<device::Device> make(std::string_view arch, const device::DeviceOptions& options);

/// The reason why there is no device of this arch here, or none that DeviceOptions::device names; empty when there is.
/// Thread-safe.
std::string why_not(std::string_view arch, const std::string& device = {});

/// The devices of an arch that programs may choose from, in the order of their numbers. Thread-safe.
std::vector<device::DeviceInfo> devices(std::string_view arch);

/// Adds a row for a device that is not part of the build. The row replaces one of the same name.
void add(Row row);

}  // namespace qd::back_ends
