// Kernel IR to the code of a GPU, through LLVM.
#pragma once

#include "runtime/codegen/gpu/hardware.h"
#include "runtime/codegen/target.h"

namespace qd::codegen::gpu {

/// Compiles to assembly or an object file, by `kind`, with a kernel of the device for each task. Thread-safe.
Binary compile(const ir::Kernel& kernel, const Options& options, const Hardware& hardware, llvm::CodeGenFileType kind);

/// Version of the compiler: LLVM with its build, and our own build. For keys of caches.
std::string compiler_version(const char* target);

// A kernel that tells a graph of the driver whether steps of a launch run.

/// Code with one kernel, which takes ConditionArguments (abi/condition_arguments.h) and runs in one thread. It sets the
/// condition's value in the graph to 1 or 0 by cudaGraphSetConditional, which the loader of the code must provide:
/// CUDA's driver has it from 12.3 on. Throws std::runtime_error when the compiler fails.
Binary condition_setter(const Hardware& hardware, llvm::CodeGenFileType kind);

}  // namespace qd::codegen::gpu
