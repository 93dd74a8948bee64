// Kinds of accesses to memory.
#pragma once

#include <cstdint>

namespace qd::simulated {

enum class AccessKind : uint8_t { Load, Store, AtomicLoad, Atomic };

}  // namespace qd::simulated
