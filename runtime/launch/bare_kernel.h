// Canonical copy of a kernel for code generation, reduced to the parts on which machine code depends.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd {

/// The copy of a kernel that is split into tasks has no names, no lines and no ids of fields. Its instructions, blocks
/// and operands are in the order of the code. Code is generated from this copy, so equal copies give equal code.
/// Formats, arrays, parameters and counters keep their numbers.
ir::Kernel bare_kernel(const ir::Kernel& kernel);

}  // namespace qd
