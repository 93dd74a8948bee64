// Kernel IR to the code of a GPU, through LLVM.
#pragma once

#include "runtime/codegen/gpu/hardware.h"
#include "runtime/codegen/target.h"

namespace qd::codegen::gpu {

/// Compiles to assembly or an object file, by `kind`, with a kernel of the device for each task. Thread-safe.
Binary compile(const ir::Kernel& kernel, const Options& options, const Hardware& hardware, llvm::CodeGenFileType kind);

/// Version of the compiler: LLVM with its build, and our own build. For keys of caches.
std::string compiler_version(const char* target);

}  // namespace qd::codegen::gpu
