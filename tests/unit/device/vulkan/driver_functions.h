// Lets tests put functions of their own in the place of the driver's.
#pragma once

#include <map>
#include <string>

#include "runtime/device/vulkan/instance.h"
#include "runtime/device/vulkan/volk.h"

namespace qd::device::testing {

/// While it exists, devices that are opened have these functions instead of the driver's.
class DriverFunctions {
 public:
  explicit DriverFunctions(std::map<std::string, PFN_vkVoidFunction> functions) {
    vulkan::instance();  // fills in what is replaced below
    functions_ = std::move(functions);
    original_ = vkGetDeviceProcAddr;
    vkGetDeviceProcAddr = [](VkDevice device, const char* name) {
      const auto found = functions_.find(name);
      return found != functions_.end() ? found->second : original_(device, name);
    };
  }
  ~DriverFunctions() { vkGetDeviceProcAddr = original_; }
  DriverFunctions(const DriverFunctions&) = delete;
  DriverFunctions& operator=(const DriverFunctions&) = delete;

 private:
  static inline std::map<std::string, PFN_vkVoidFunction> functions_;
  static inline PFN_vkGetDeviceProcAddr original_ = nullptr;
};

/// A pointer to a function as the driver gives it.
template <class Function>
PFN_vkVoidFunction pointer(Function* function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

/// A driver's function that gives `result` as often as `failures` says, after `successes` calls that work.
template <auto VolkDeviceTable::* Member>
class FailingFunction;

template <class Result, class... Arguments, Result (VKAPI_PTR* VolkDeviceTable::*Member)(Arguments...)>
class FailingFunction<Member> {
 public:
  static inline int successes = 0;
  static inline int failures = 0;
  static inline Result result = {};

  /// To be put in the place of the function `name`.
  static PFN_vkVoidFunction replacement(const char* name, Result fails_with, int after = 0, int times = 1 << 30) {
    name_ = name;
    successes = after;
    failures = times;
    result = fails_with;
    original_ = nullptr;
    return pointer(&call);
  }

 private:
  static VKAPI_ATTR Result VKAPI_CALL call(Arguments... arguments) {
    if (successes-- <= 0 && failures > 0) {
      --failures;
      return result;
    }
    // The loader's own, for any device.
    if (!original_) original_ = reinterpret_cast<decltype(original_)>(vkGetInstanceProcAddr(vulkan::instance(), name_));
    return original_(arguments...);
  }
  static inline const char* name_ = nullptr;
  static inline Result(VKAPI_PTR* original_)(Arguments...) = nullptr;
};

}  // namespace qd::device::testing
