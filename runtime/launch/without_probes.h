// Removes the probes from a kernel, which is then the same as without coverage.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd {

/// A kernel in the form that the front end makes without probes: the same numbers of its values, too.
ir::Kernel without_probes(ir::Kernel kernel);

}  // namespace qd
