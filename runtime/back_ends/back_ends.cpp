// The rows of the table: one for each device.
#include "runtime/back_ends/back_ends.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "runtime/device/cpu/cpu_device.h"
#include "runtime/device/reference/reference_device.h"
#ifdef QD_CUDA
#include "runtime/device/cuda/cuda_device.h"
#endif
#ifdef QD_HIP
#include "runtime/device/hip/hip_device.h"
#endif
#ifdef QD_VULKAN
#include "runtime/device/vulkan/vulkan_device.h"
#endif

namespace qd::back_ends {
namespace {

struct Table {
  std::mutex mutex;
  std::vector<Row> rows{
      {"cpu", device::cpu_device, nullptr, device::cpu_devices},
      {"reference", device::reference_device},
#ifdef QD_VULKAN
      {"vulkan", device::vulkan_device, device::why_no_vulkan, device::vulkan_devices},
#endif
#ifdef QD_CUDA
      {"cuda", device::cuda_device, device::why_no_cuda, device::cuda_devices},
#endif
#ifdef QD_HIP
      {"amdgpu", device::hip_device, device::why_no_hip, device::hip_devices},
#endif
  };
};

Table& table() {
  static Table table;
  return table;
}

/// An empty row for an arch that is not in the table.
Row row_of(std::string_view arch) {
  std::lock_guard lock(table().mutex);
  const auto row = std::ranges::find(table().rows, arch, &Row::arch);
  return row != table().rows.end() ? *row : Row{};
}

}  // namespace

std::vector<std::string> archs() {
  std::lock_guard lock(table().mutex);
  std::vector<std::string> names;
  for (const Row& row : table().rows) names.push_back(row.arch);
  return names;
}

std::unique_ptr<device::Device> make(std::string_view arch, const device::DeviceOptions& options) {
  const Row found = row_of(arch);
  if (!found.make)
    throw std::invalid_argument(fmt::format("unknown arch '{}'; known are {}", arch, fmt::join(archs(), ", ")));
  if (const std::string reason = options.device.empty() ? "" : why_not(arch, options.device); !reason.empty())
    throw std::runtime_error(reason);
  return found.make(options);
}

std::string why_not(std::string_view arch, const std::string& device) {
  const Row found = row_of(arch);
  if (!found.make) return fmt::format("this build has no {}", arch);
  if (found.why_not) return found.why_not(device);
  if (device.empty()) return {};
  if (!found.devices) return fmt::format("arch={} has no devices to choose from", arch);
  try {
    device::find_device(found.devices(), device);
    return {};
  } catch (const std::invalid_argument& error) {
    return fmt::format("arch={}: {}", arch, error.what());
  }
}

std::vector<device::DeviceInfo> devices(std::string_view arch) {
  const Row found = row_of(arch);
  return found.devices ? found.devices() : std::vector<device::DeviceInfo>();
}

void add(Row row) {
  std::lock_guard lock(table().mutex);
  const auto known = std::ranges::find(table().rows, row.arch, &Row::arch);
  if (known != table().rows.end()) {
    *known = std::move(row);
  } else {
    table().rows.push_back(std::move(row));
  }
}

}  // namespace qd::back_ends
