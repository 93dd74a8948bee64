// Makes a kernel as it would be without coverage.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd {

/// A kernel as the front end makes it when it makes no probes: the same numbers of its values, too.
ir::Kernel without_probes(ir::Kernel kernel);

}  // namespace qd
