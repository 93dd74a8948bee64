// The code of all tasks of a kernel as bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qd::codegen::spirv {

/// The module of a task. Its entry point is called "main".
struct TaskCode {
  std::vector<uint32_t> words;
  uint32_t local_size = 1;  // invocations of a group; a serial task is dispatched as one group, whose first works
  bool draws = false;       // the task draws random numbers
};

std::string pack(std::span<const TaskCode> tasks);
/// Throws std::runtime_error when the bytes are none that pack() made.
std::vector<TaskCode> unpack(std::string_view bytes);

}  // namespace qd::codegen::spirv
