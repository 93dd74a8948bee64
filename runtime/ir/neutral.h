// Neutral elements of atomic operations.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/ir/op.h"
#include "runtime/ir/type.h"

namespace qd::ir {

/// The number that changes nothing under the operation, such as -0.0 for a sum of floats, as Imm::Bits. Nothing for
/// Exchange.
std::optional<uint64_t> neutral(AtomicOp op, Type type);

}  // namespace qd::ir
