// The rows of the table: one for each device.
#include "runtime/back_ends/back_ends.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "runtime/device/cpu/cpu_device.h"
#include "runtime/device/reference/reference_device.h"

namespace qd::back_ends {
namespace {

struct Table {
  std::mutex mutex;
  std::vector<Row> rows{
      {"cpu", device::cpu_device},
      {"reference", device::reference_device},
  };
};

Table& table() {
  static Table table;
  return table;
}

}  // namespace

std::vector<std::string> archs() {
  std::lock_guard lock(table().mutex);
  std::vector<std::string> names;
  for (const Row& row : table().rows) names.push_back(row.arch);
  return names;
}

std::unique_ptr<device::Device> make(std::string_view arch, const device::DeviceOptions& options) {
  Row found;
  {
    std::lock_guard lock(table().mutex);
    const auto row = std::ranges::find(table().rows, arch, &Row::arch);
    if (row != table().rows.end()) found = *row;
  }
  if (!found.make)
    throw std::invalid_argument(fmt::format("unknown arch '{}'; known are {}", arch, fmt::join(archs(), ", ")));
  return found.make(options);
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
