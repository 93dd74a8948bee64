// This computer as a target.
#pragma once

#include "runtime/codegen/target.h"

namespace qd::codegen {

/// The processor that the process runs on, through LLVM.
const Target& host_target();

}  // namespace qd::codegen
