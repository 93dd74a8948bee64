// The memory in which the group that runs has its shared variables.
#pragma once

#include <cstddef>

namespace qd::simulated {

/// As many bytes, up to a page that faults, full of 0xCD. One group uses it at a time.
char* new_block_memory(size_t bytes);

}  // namespace qd::simulated
