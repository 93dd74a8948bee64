// Conflicts between sections: blocks that run side by side and use the same elements.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"
#include "runtime/ir/op.h"

namespace qd::frontend {

/// The access of an operation. Nothing for one that does not access memory.
inline std::optional<ir::Access> access_of(ir::Op op) {
  switch (op) {
    case ir::Op::Load:
    case ir::Op::VolatileLoad: return ir::Access::Read;
    case ir::Op::Store: return ir::Access::Write;
    case ir::Op::AtomicRmw:
    case ir::Op::AtomicCas: return ir::Access::Atomic;
    default: return std::nullopt;
  }
}

/// Whether two sections that run side by side may access one element, one in each of these ways.
inline bool go_together(ir::Access a, ir::Access b) { return a == b && a != ir::Access::Write; }

/// Warns of elements that one block writes and another one uses, if the kernel's code alone shows it: elements with
/// constant indices, and loops over the same range. Called when the kernel has been lowered.
void warn_of_section_conflicts(Compilation& c);

// Race detection in debug mode: reports elements that two blocks side by side use.

/// Puts a Claim and an Assert, in debug mode, before each access of a section to an array that another section of its
/// group may use in a conflicting way. Called when the kernel has been lowered.
void claim_elements(Compilation& c);

}  // namespace qd::frontend
