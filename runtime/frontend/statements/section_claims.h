// Race detection between sections in debug mode: reports elements that two blocks side by side use.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Puts a Claim and an Assert, in debug mode, before each access of a section to an array that another section of its
/// group may use in a conflicting way. Called when the kernel has been lowered.
void claim_elements(Compilation& c);

}  // namespace qd::frontend
