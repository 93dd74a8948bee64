// Messages of a GPU's kernel to the host, as instructions of the kernel.
#pragma once

#include <cstdint>

#include "runtime/ir/kernel.h"

namespace qd::passes {

/// Puts instructions in place of each Print, Warn and Assert, which write messages as abi/device_launch.h describes
/// them. A failed assert ends in a Leave. A routine in which an assert may fail gets one more result, an i32 that is
/// not 0 when one has failed; its callers leave, too. Gives the number of the first routine that the pass has added;
/// that code is not worth a place in each caller.
uint32_t messages(ir::Kernel& kernel);

}  // namespace qd::passes
