#include "runtime/device/device_info.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace qd::device {
namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

[[noreturn]] void fail(std::string error, std::span<const DeviceInfo> devices) {
  error += devices.size() == 1 ? "; there is " : "; there are ";
  if (devices.empty()) error += "none";
  for (size_t i = 0; i < devices.size(); ++i) error += (i > 0 ? ", " : "") + std::to_string(i) + ": " + devices[i].name;
  throw std::invalid_argument(error);
}

}  // namespace

size_t find_device(std::span<const DeviceInfo> devices, std::string_view wanted) {
  const std::string text(wanted);
  const bool is_number = !wanted.empty() && wanted.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_number) {
    size_t number = 0;
    const auto result = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    if (result.ec == std::errc() && number < devices.size()) return number;
    fail("there is no device " + text, devices);
  }
  const std::string part = in_lower_case(wanted);
  const auto found = std::ranges::find_if(
      devices, [&](const DeviceInfo& device) { return in_lower_case(device.name).find(part) != std::string::npos; });
  if (found == devices.end()) fail("no device has '" + text + "' in its name", devices);
  return static_cast<size_t>(found - devices.begin());
}

}  // namespace qd::device
