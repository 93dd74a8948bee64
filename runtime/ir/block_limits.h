// Limits of a device's blocks: threads, shared memory, atomic operations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/ir/kernel.h"

namespace qd::ir {

struct BlockLimits {
  int64_t threads = kMaxBlockDim;
  int64_t shared_bytes = INT64_MAX;  // of shared variables; each of their numbers takes 4 bytes at least
  bool wide_atomics = true;          // atomic operations on shared numbers of 64 bits
  // The device's own terms for them, for messages.
  std::string threads_name = {};
  std::string shared_bytes_name = {};
  std::string wide_atomics_name = {};
};

struct Excess {
  InstId inst;          // the instruction that is beyond the limit
  std::string message;  // the device's limit, and the kernel's use
};

/// The first block loop that is too large for a device; nothing when there is none. For kernels before split_tasks.
std::optional<Excess> beyond(const Kernel& kernel, const BlockLimits& limits);

}  // namespace qd::ir
