// Arrays of the host that may not be written: which kernels may get them.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/launch/program.h"

namespace qd {

/// A launch with a read-only array that the kernel writes.
struct ReadOnlyArrayError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// For each array of a kernel where it is written first, as "file:line in function"; empty: it is only read.
std::vector<std::string> first_writes(const ir::Kernel& kernel);

/// Throws ReadOnlyArrayError when an argument is read-only, and the kernel writes it. `writes` has first_writes.
void check_read_only(const std::string& kernel, const frontend::Signature& signature,
                     std::span<const Argument> arguments, const std::vector<std::string>& writes);

}  // namespace qd
