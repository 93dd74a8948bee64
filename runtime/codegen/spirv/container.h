// Container of a kernel's code: the modules of all tasks as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::codegen::spirv {

/// The module of a task. Its entry point is called "main".
struct TaskCode {
  std::vector<uint32_t> words;  // reaches all arrays by their addresses
  uint32_t local_size = 1;      // invocations of a group; a serial task is dispatched as one group, whose first works
  bool draws = false;           // the task draws random numbers
  /// A second module of the same task, which reaches some arrays through storage buffers: the array `bound[i]` through
  /// binding i of set 0. It begins at an address that is a multiple of 4 at least. Empty: there is none.
  std::vector<uint32_t> bound_words = {};
  std::vector<uint32_t> bound = {};

  const std::vector<uint32_t>& usual_words() const { return bound.empty() ? words : bound_words; }
};

struct KernelCode {
  std::vector<TaskCode> tasks;
  std::vector<uint32_t> tables = {};  // memory at DeviceLaunch::tables
};

std::string pack(const KernelCode& code);
/// Reads a container. Throws std::runtime_error when the bytes are none that pack() made.
KernelCode unpack(std::string_view bytes);

}  // namespace qd::codegen::spirv
