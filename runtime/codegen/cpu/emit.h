// LLVM IR of kernels for this computer: one function for each task, of type TaskFunction
// (abi/launch_context.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "runtime/codegen/target.h"

namespace qd::codegen {

/// The LLVM module of a kernel; `binary` gets the name of each task's function, and its lanes.
std::unique_ptr<llvm::Module> emit(const ir::Kernel& kernel, const Options& options, llvm::LLVMContext& llvm_context,
                                   Binary& binary);

}  // namespace qd::codegen
