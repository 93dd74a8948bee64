// The memory of the running group's shared variables.
#pragma once

#include <cstddef>

namespace qd::simulated {

/// Memory of that many bytes, up to a page that faults, full of 0xCD. One group uses it at a time.
char* new_block_memory(size_t bytes);

}  // namespace qd::simulated
