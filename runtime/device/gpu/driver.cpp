// Opens a driver's library at run time. It is never closed: drivers have threads of their own.
#include "runtime/device/gpu/driver.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "runtime/device/host_threads.h"

namespace qd::device::gpu {
namespace {

struct Names {
  const char *field, *cuda, *hip;
};
constexpr Names kNames[] = {
#define QD_DRIVER_NAME(field, cuda, hip, parameters) {#field, cuda, hip},
    QD_REQUIRED_DRIVER_FUNCTIONS(QD_DRIVER_NAME) QD_OPTIONAL_DRIVER_FUNCTIONS(QD_DRIVER_NAME)
#undef QD_DRIVER_NAME
};

/// Text of an error by cuGetErrorName, cuGetErrorString.
std::string cuda_text(const Driver& driver, Result result) {
  using Text = Result (*)(Result, const char**);
  const char *name = nullptr, *text = nullptr;
  reinterpret_cast<Text>(driver.error_name)(result, &name);
  reinterpret_cast<Text>(driver.error_string)(result, &text);
  return fmt::format("{}: {}", name ? name : fmt::format("error {}", result).c_str(), text ? text : "unknown");
}

/// Text of an error by hipGetErrorName, hipGetErrorString.
std::string hip_text(const Driver& driver, Result result) {
  using Text = const char* (*)(Result);
  return fmt::format("{}: {}", reinterpret_cast<Text>(driver.error_name)(result),
                     reinterpret_cast<Text>(driver.error_string)(result));
}

void* open_first(const char* arch, const char* variable, std::span<const char* const> libraries, const char*& opened) {
  if (const char* named = std::getenv(variable); named && *named) {
    opened = strdup(named);
    if (void* library = dlopen(named, RTLD_NOW | RTLD_LOCAL)) return library;
    throw NotAvailable(arch, fmt::format("{} names a library that cannot be opened: {}", variable, dlerror()));
  }
  for (const char* name : libraries) {
    opened = name;
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  throw NotAvailable(arch, fmt::format("there is no driver ({})", libraries.front()));
}

}  // namespace

const char* Driver::name_of(const char* field) const {
  for (const Names& names : kNames) {
    if (std::strcmp(names.field, field) == 0) return is_hip ? names.hip : names.cuda;
  }
  return field;
}

CallFailed::CallFailed(const Driver& driver, const char* field, Result result, const std::string& doing)
    : std::runtime_error(fmt::format("{}{} failed: {}", doing.empty() ? "" : doing + ": ", driver.name_of(field),
                                     driver.error_text(driver, result))),
      result(result) {}

bool is_sticky(Result result) {
  switch (result) {
    case 4:                 // deinitialised
    case 214:               // an error of memory that cannot be corrected
    case 220:               // NVLink
    case 700:               // illegal address
    case 702:               // a launch took too long
    case 709:               // the context was destroyed
    case 710:               // an assert of the device
    case 714:               // a stack's error
    case 715:               // illegal instruction
    case 716:               // misaligned address
    case 717:               // invalid address space
    case 718:               // invalid program counter
    case 719:               // a launch failed
    case 999: return true;  // unknown
    default: return false;
  }
}

const Driver& opened_driver(const char* arch, const char* api, Driver (*open)()) {
  struct Opened {
    Driver driver;
    uint64_t forks;
  };
  static std::mutex mutex;
  static auto& opened = *new std::map<std::string, Opened>;
  const std::lock_guard lock(mutex);
  auto found = opened.find(arch);
  if (found == opened.end()) {
    const SignalsBlocked blocked;  // drivers start threads
    Driver driver = open();
    const Result result = driver.init(0);
    if (result != kSuccess) throw NotAvailable(arch, CallFailed(driver, "init", result, {}).what());
    found = opened.emplace(arch, Opened{driver, fork_count()}).first;
  }
  if (found->second.forks != fork_count()) {
    throw NotAvailable(arch, fmt::format("this process is a child of a fork, and its parent had used {} before, which "
                                         "does not outlive that (in multiprocessing, the start method 'spawn' has no "
                                         "such children)",
                                         api));
  }
  return found->second.driver;
}

Driver open_driver(const char* arch, const char* variable, std::span<const char* const> libraries, bool is_hip,
                   const char* oldest) {
  Driver driver;
  driver.arch = arch;
  driver.is_hip = is_hip;
  void* library = open_first(arch, variable, libraries, driver.library);
  auto find = [&](auto& field, const char* cuda, const char* hip, bool required) {
    const char* name = is_hip ? hip : cuda;
    if (!*name) return;
    field = reinterpret_cast<std::remove_reference_t<decltype(field)>>(dlsym(library, name));
    if (!field && required) {
      throw NotAvailable(
          arch, fmt::format("{} is too old, it has no {}: {} or a later one is needed", driver.library, name, oldest));
    }
  };
#define QD_FIND(field, cuda, hip, parameters) find(driver.field, cuda, hip, true);
  QD_REQUIRED_DRIVER_FUNCTIONS(QD_FIND)
#undef QD_FIND
#define QD_FIND(field, cuda, hip, parameters) find(driver.field, cuda, hip, false);
  QD_OPTIONAL_DRIVER_FUNCTIONS(QD_FIND)
#undef QD_FIND
  find(driver.error_name, "cuGetErrorName", "hipGetErrorName", true);
  find(driver.error_string, "cuGetErrorString", "hipGetErrorString", true);
  if (is_hip) {
    find(driver.device_properties, "", "hipGetDevicePropertiesR0600", false);
    if (!driver.device_properties) find(driver.device_properties, "", "hipGetDeviceProperties", true);
  }
  find(driver.simulated_target, "qd_simulated_target", "qd_simulated_target", false);
  driver.error_text = is_hip ? hip_text : cuda_text;
  return driver;
}

}  // namespace qd::device::gpu
