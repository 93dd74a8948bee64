// Debug mode and blocks that run side by side: elements that two blocks use are reported.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// In debug mode, puts a Claim and an Assert before each access of a section to an array that another section of its
/// group may use in a way that does not go with it. Called when the kernel has been lowered.
void claim_elements(Compilation& c);

}  // namespace qd::frontend
