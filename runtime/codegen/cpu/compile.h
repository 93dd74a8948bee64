// Kernel IR to machine code of this computer, through LLVM.
#pragma once

#include <string>

#include "runtime/codegen/target.h"

namespace qd::codegen {

/// Relocatable code: an ELF file with one function of type TaskFunction (abi/launch_context.h) for each task.
/// Thread-safe.
Binary compile(const ir::Kernel& kernel, const Options& options);

/// The LLVM IR of a kernel before optimisation, the same on every computer.
std::string llvm_ir(const ir::Kernel& kernel, const Options& options);

/// Name and features of this computer's processor.
const std::string& host_cpu();

/// Version of the compiler, for keys of caches: that of LLVM with its build, and our own build.
const std::string& version();

}  // namespace qd::codegen
