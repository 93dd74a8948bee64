// A kernel that tells a graph of the driver whether steps of a launch run.
#pragma once

#include "runtime/codegen/gpu/hardware.h"
#include "runtime/codegen/target.h"

namespace qd::codegen::gpu {

/// Code with one kernel, which takes ConditionArguments (abi/condition_arguments.h) and runs in one thread. It sets the
/// condition's value in the graph to 1 or 0 by cudaGraphSetConditional, which the loader of the code must provide:
/// CUDA's driver has it from 12.3 on. Throws std::runtime_error when the compiler fails.
Binary condition_setter(const Hardware& hardware, llvm::CodeGenFileType kind);

}  // namespace qd::codegen::gpu
