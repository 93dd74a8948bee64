// Parts common to the functions of CUDA's driver API.
#pragma once

#include "tests/simulated_driver/driver/entry.h"

namespace simulated = qd::simulated;
using qd::simulated::Device;
using qd::simulated::driver;
using qd::simulated::Result;

#define QD_CUDA(name, ...) QD_DRIVER_FUNCTION Result name(__VA_ARGS__)

namespace qd::simulated {

/// Entry of functions that want cuInit.
template <class Work>
Result initialised(std::string_view name, Work&& work) {
  return entry(name, [&] { return driver().initialised ? work() : Result::NotInitialized; });
}

inline Result current_device(Device*& device) {
  if (!driver().initialised) return Result::NotInitialized;
  if (current_contexts().empty()) return Result::InvalidContext;
  device = current_contexts().back();
  return device->retained > 0 ? Result::Success : Result::ContextIsDestroyed;
}

template <class Work>
Result in_context(std::string_view name, Work&& work) {
  return entry_with_device(name, current_device, work);
}

/// A function that has the device and the caller's arguments.
template <auto function, class... Arguments>
Result call(std::string_view name, Arguments... arguments) {
  return in_context(name, [&](Device& device) { return function(device, arguments...); });
}

}  // namespace qd::simulated
