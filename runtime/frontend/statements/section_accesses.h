// Kinds of access of a section's instructions to memory.
#pragma once

#include <optional>

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

}  // namespace qd::frontend
