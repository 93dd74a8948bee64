// Removal of dead code before split_tasks.
#pragma once

#include <span>

#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// Takes out of a kernel's body all instructions on which no write to an array, no assert, no probe and no result
/// depends: variables that nothing reads, with their stores, and control flow around nothing. Loops are taken to end.
/// The writes of `dropped` instructions do not count: those stay only where their values are used.
void remove_dead_code(ir::Kernel& kernel, std::span<const ir::InstId> dropped);

}  // namespace qd::autodiff
