// The target of devices that interpret kernel IR: its code is the kernel itself.
#pragma once

#include "runtime/codegen/target.h"

namespace qd::codegen {

const Target& reference_target();

/// Unpacks the kernel from a binary of the reference target. Throws std::runtime_error when there is none.
ir::Kernel kernel_of(const Binary& binary);

}  // namespace qd::codegen
