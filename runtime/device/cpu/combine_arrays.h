// Arrays that parts of a task had for themselves (codegen/cpu/private_arrays.cpp), combined with the shared ones.
#pragma once

#include <cstdint>

namespace qd::device {

/// Combines each number of `shared` with that of `own` by an ir::AtomicOp, atomically; not those of which `own` has the
/// operation's neutral element. `type` is an ir::Type of 32 bits or 64, to which both are aligned; the operation is one
/// of passes::gathered.
void combine_arrays(void* shared, const void* own, uint64_t numbers, uint32_t op, uint32_t type);

}  // namespace qd::device
