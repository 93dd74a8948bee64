// Read-only arrays of the host: refuses kernels that write them.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/launch/program.h"

namespace qd {

/// Error of a launch with a read-only array that the kernel writes.
struct ReadOnlyArrayError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// An array parameter that a kernel writes.
struct WrittenArray {
  size_t parameter;   // an index into Signature::parameters
  std::string where;  // the first write, as "file:line in function"
};

std::vector<WrittenArray> written_arrays(const ir::Kernel& kernel, const frontend::Signature& signature);

/// Throws ReadOnlyArrayError when an argument is read-only, and the kernel writes it.
void check_read_only(const std::string& kernel, const frontend::Signature& signature,
                     std::span<const Argument> arguments, const std::vector<WrittenArray>& written);

}  // namespace qd
