// Prologue of each function of a driver: it counts the call, fails where a test asks for that, and looks
// for the current context.
#pragma once

#include <string_view>

#include "tests/simulated_driver/driver/calls.h"
#include "tests/simulated_driver/driver/failures.h"

#define QD_DRIVER_FUNCTION extern "C" [[gnu::visibility("default")]]

namespace qd::simulated {

/// Entry of functions that may be called at any time. `Work` has a type of its own at each place, so each call of this
/// function looks up the name once.
template <class Work>
Result entry(std::string_view name, Work&& work) {
  if (is_forked()) return Result::NotInitialized;
  static Function& function = function_named(name);
  if (const Result wanted = begin_call(function); wanted != Result::Success) return wanted;
  return work();
}

/// Entry of functions that want a current context. Once a kernel has done something wrong, they all say so.
template <class FindDevice, class Work>
Result entry_with_device(std::string_view name, FindDevice&& find, Work&& work) {
  return entry(name, [&] {
    Device* device = nullptr;
    if (const Result wrong = find(device); wrong != Result::Success) return wrong;
    {
      const std::lock_guard lock(driver().mutex);
      if (device->engine.failed() != Result::Success) return device->engine.failed();
    }
    return work(*device);
  });
}

}  // namespace qd::simulated
