#include <algorithm>
#include <cstring>

#include "tests/simulated_driver/driver/calls.h"

namespace qd::simulated {
namespace {

enum Limit : int { kStackSize, kPrintfSize, kHeapSize };
constexpr int kLimits = 3;

size_t first_limit(int limit) { return limit == kStackSize ? 1024 : size_t{1} << (limit == kPrintfSize ? 20 : 23); }

}  // namespace

Result copy_text(std::string_view text, char* to, int bytes) {
  if (!to || bytes <= 0) return Result::InvalidValue;
  to[text.copy(to, static_cast<size_t>(bytes) - 1)] = '\0';
  return Result::Success;
}

Result device_uuid(int ordinal, char (&bytes)[16]) {
  std::memcpy(bytes, "qd simulated", 12);
  std::memcpy(bytes + 12, &ordinal, 4);
  return Result::Success;
}

Result retain_context(void** context, int ordinal) {
  const std::lock_guard lock(driver().mutex);
  Device* device = driver().device(ordinal);
  if (!device) return Result::InvalidDevice;
  ++device->retained;
  *context = device;
  return Result::Success;
}

Result release_context(int ordinal) {
  std::unique_lock lock(driver().mutex);
  Device* device = driver().device(ordinal);
  if (!device) return Result::InvalidDevice;
  if (device->retained == 0) return Result::InvalidContext;
  if (device->retained == 1) driver().end_context(lock, *device);
  device->retained = std::max(0, device->retained - 1);
  return Result::Success;
}

Result push_context(void* context) {
  const std::lock_guard lock(driver().mutex);
  for (const auto& device : driver().devices) {
    if (device.get() != context || device->retained == 0) continue;
    current_contexts().push_back(device.get());
    return Result::Success;
  }
  return Result::InvalidContext;
}

Result pop_context(void** context) {
  if (current_contexts().empty()) return Result::InvalidContext;
  if (context) *context = current_contexts().back();
  current_contexts().pop_back();
  return Result::Success;
}

Result get_context(void** context) {
  *context = current_contexts().empty() ? nullptr : current_contexts().back();
  return Result::Success;
}

Result get_limit(Device& device, size_t* value, int limit) {
  const std::lock_guard lock(driver().mutex);
  if (limit < 0 || limit >= kLimits) return Result::InvalidValue;
  const auto found = device.limits.find(limit);
  *value = found == device.limits.end() ? first_limit(limit) : found->second;
  return Result::Success;
}

Result set_limit(Device& device, int limit, size_t value) {
  const std::lock_guard lock(driver().mutex);
  if (limit < 0 || limit >= kLimits) return Result::InvalidValue;
  device.limits[limit] = value;
  return Result::Success;
}

}  // namespace qd::simulated
