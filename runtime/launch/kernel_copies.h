// Copies of a kernel without parts that have no effect: what code generation does not need, and probes.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd {

/// Canonical copy of a kernel for code generation, reduced to the parts on which machine code depends. The copy of a
/// kernel that is split into tasks has no names, no lines and no ids of fields. Its instructions, blocks and operands
/// are in the order of the code. Code is generated from this copy, so equal copies give equal code. Formats, arrays,
/// parameters and counters keep their numbers.
ir::Kernel bare_kernel(const ir::Kernel& kernel);

/// Removes the probes from a kernel, which is then the same as without coverage: in the form that the front end makes
/// without probes, with the same numbers of its values, too.
ir::Kernel without_probes(ir::Kernel kernel);

}  // namespace qd
