// The Python that a shell would start, asked what it is.
#pragma once

#include "cli/debug_topics.h"

namespace qd::cli {

/// Its version and packages, and the kernel runtime that it has: LLVM, devices. One row that says why, when there is no Python or it does not answer.
DebugRows describe_python();

}  // namespace qd::cli
