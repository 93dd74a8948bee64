// Conflicts between sections: blocks that run side by side and use the same elements.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Warns of elements that one block writes and another one uses, if the kernel's code alone shows it: elements with
/// constant indices, and loops over the same range. Called when the kernel has been lowered.
void warn_of_section_conflicts(Compilation& c);

}  // namespace qd::frontend
