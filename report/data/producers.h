// Producers of kernel data: the languages whose kernels and contexts reports know.
//
// The context of launches is that of the host, and the device: "test_a|run|qd:cpu". The device of another producer has
// its name: "numba:cpu" of "test_a|run|numba:cpu".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

struct Producers {
  /// Names before the device in contexts. Other contexts with a colon, such as "job:linux", are the host's.
  std::vector<std::string> contexts{"qd", "numba"};
  /// Decorators of kernels and of the functions that kernels call, each behind the name of its package.
  std::vector<std::string> kernel_decorators{
      "qd.kernel", "quadrants.kernel", "taichi.kernel",     "ti.kernel",   "gstaichi.kernel", "numba.njit",
      "numba.jit", "numba.vectorize",  "numba.guvectorize", "numba.cfunc", "numba.stencil"};
  std::vector<std::string> func_decorators{
      "qd.func",          "qd.real_func", "qd.pyfunc",        "quadrants.func",     "quadrants.real_func",
      "quadrants.pyfunc", "taichi.func",  "taichi.real_func", "taichi.pyfunc",      "ti.func",
      "ti.real_func",     "ti.pyfunc",    "gstaichi.func",    "gstaichi.real_func", "gstaichi.pyfunc"};
  bool operator==(const Producers&) const = default;
};

/// The producers of this process: the defaults, or those of the configuration. Thread-safe.
std::shared_ptr<const Producers> producers();
/// Replaces them. Call it before data is read: contexts are taken apart as they are read.
void set_producers(Producers producers);

/// Whether a name before the device in contexts is not our own: "numba".
bool is_foreign(std::string_view producer);

struct ContextParts {
  std::string_view label;   // of the host: "test_a|run"; may be empty
  std::string_view device;  // "cpu", "numba:cpu"; empty: the context is the host's
};
/// Parts of a context, which must outlive them.
ContextParts context_parts(std::string_view context);

/// Arch name of host code, beside the names of devices.
inline constexpr const char* kHostArch = "host";

/// Arch of a context: "cpu" of "test|run|qd:cpu"; "host" where it names no device.
std::string named_arch(std::string_view context);

/// Context of launches on a device of ours: "test_a|run|qd:cpu".
std::string kernel_context(const std::string& label, const std::string& arch);

/// Whether a name can be that of an arch: "cpu", "numba:cpu".
bool is_arch_name(std::string_view name);

/// Number of characters at the front of a text that name a device as contexts do: 6 of "qd:cpu:src/**", 9 of
/// "numba:cpu". 0: none.
size_t device_prefix(std::string_view text);

}  // namespace qd::report
