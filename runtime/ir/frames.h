// Call stacks of instructions, for messages.
#pragma once

#include <string>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// " FILE:LINE in NAME" for a location and for each inlined call around it, innermost first. Empty for a location that
/// does not exist. The callers of a routine are not known here.
std::string trace(const Kernel& kernel, uint32_t location);

/// "\nCallstack:", then a line for each call and for the location, outermost first: "NAME (FILE:LINE)", each two
/// columns further in than its caller.
std::string callstack(const Kernel& kernel, uint32_t location);

}  // namespace qd::ir
