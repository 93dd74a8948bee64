// A kernel with nothing that its machine code does not depend on.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd {

/// Of a kernel that is split into tasks, what code generation may look at: no name, no place in a source, no identity
/// of a field, and instructions, blocks and operands in the order of the code. Two kernels whose bare ones are the same
/// have the same machine code, because that is made of the bare one. Formats, arrays, parameters and counters keep
/// their numbers.
ir::Kernel bare_kernel(const ir::Kernel& kernel);

}  // namespace qd
